/// The placement of a device, and the lines of its panel. All touches that begin while both are valid
/// share this object, because a touch is copied often and reads them for each sample.
final class SharedPlacement: Sendable {
  let placement: Placement
  let lines: PanelLines

  init(_ placement: Placement, lines: PanelLines) {
    self.placement = placement
    self.lines = lines
  }

  /// The same as `Placement.locate`, but without a copy of the placement for each sample.
  @inline(never)
  func locate(rawX: Int32, rawY: Int32) -> Placement.Location {
    placement.locate(rawX: rawX, rawY: rawY)
  }
}
