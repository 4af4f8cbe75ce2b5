package import TouchModel

extension API.Range {
  /// Creates the range from that of a placement.
  package init(_ range: Placement.Range) {
    self.init(minimum: Int64(range.minimum), maximum: Int64(range.maximum))
  }

  /// Returns the range extended to further values; nil if it already includes them.
  fileprivate func extended(to values: ClosedRange<Int32>) -> API.Range? {
    let (low, high) = (Int64(values.lowerBound), Int64(values.upperBound))
    if low >= minimum, high <= maximum { return nil }
    return API.Range(minimum: min(minimum, low), maximum: max(maximum, high))
  }
}

extension API.Device {
  /// Creates the value.
  /// - Parameters:
  ///   - placement: provides the key, and the ranges, the matrix and the display with their
  ///     sources.
  ///   - clampedExtent: the extent of the raw positions that were clamped.
  package init(
    placement: Placement, node: String?, name: String, contactProtocol: API.ContactProtocol,
    slots: Int, isVirtual: Bool, touchesDown: Int, unheardContacts: Int?, silentForMs: Int64?,
    tally: API.DeviceTally, clampedExtent: RawExtent? = nil
  ) {
    let (x, y) = (API.Range(placement.x), API.Range(placement.y))
    self.init(
      key: placement.device, node: node, name: name, contactProtocol: contactProtocol,
      slots: slots, x: x, y: y, sentX: clampedExtent.flatMap { x.extended(to: $0.x) },
      sentY: clampedExtent.flatMap { y.extended(to: $0.y) }, rangeSource: placement.rangeSource,
      matrix: placement.matrix.values, matrixSource: placement.matrixSource,
      display: placement.display, displaySource: placement.displaySource, isVirtual: isVirtual,
      touchesDown: touchesDown, unheardContacts: unheardContacts, silentForMs: silentForMs,
      tally: tally)
  }
}

extension API.GhostPlace {
  package init(_ tally: GhostTally) {
    self.init(
      device: tally.device, x: Int64(tally.x), y: Int64(tally.y),
      periodMs: tally.periodMilliseconds, touches: Int64(clamping: tally.touches))
  }
}
