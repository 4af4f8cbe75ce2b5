/// Grips: contacts of a hand that holds the device.
extension SessionRecorder {
  /// Returns the grip that an ended touch is; nil if it is none.
  ///
  /// The result depends on the times of touches alone: a touch beside it that is committed later does
  /// not matter, even if one call commits both.
  func grip(_ touch: borrowing EndedTouch) -> Gesture? {
    guard let acted = touch.live.actedBeside, acted <= touch.commitsAt, touch.isWhole else {
      return nil
    }
    return touch.live.trace.grip(pointSize: pointSize(of: touch.live.trace))
  }

  /// Notes a counted touch at the contacts of its device that were down before and after it.
  /// - Parameter others: touches that will be committed next.
  mutating func noteAct(
    _ touch: borrowing EndedTouch, beside others: inout ArraySlice<EndedTouch>
  ) {
    // A second hand that holds the device does not act.
    let pointSize = pointSize(of: touch.live.trace)
    guard touch.live.trace.grip(pointSize: pointSize) == nil else { return }
    let (device, began, ended) = (touch.device, touch.live.trace.began, touch.ended.monotonic)
    let commitsAt = touch.commitsAt
    var live = devices[device].live.mutableSpan
    for slot in live.indices { live[slot]?.noteAct(began: began, commitsAt: commitsAt) }
    func note(_ others: inout MutableSpan<EndedTouch>) {
      for index in others.indices
      where others[index].device == device && others[index].ended.monotonic >= ended {
        others[index].live.noteAct(began: began, commitsAt: commitsAt)
      }
    }
    var waiting = self.ended.mutableSpan
    note(&waiting)
    var next = others.mutableSpan
    note(&next)
  }
}

extension SessionRecorder.ActiveContact {
  fileprivate mutating func noteAct(began: Timestamp, commitsAt: Timestamp) {
    guard trace.began <= began else { return }
    actedBeside = min(actedBeside ?? commitsAt, commitsAt)
  }
}

extension TouchTrace {
  /// Returns the grip that the touch is if others act beside it.
  /// - Parameter pointSize: in mm.
  /// - Returns: nil if it moved, was short or began away from the edges.
  fileprivate func grip(pointSize: Double) -> Gesture? {
    guard duration >= GestureRule.pressTime,
      max(path.extent.width, path.extent.height) * pointSize <= GestureRule.pressExtent
    else { return nil }
    let (point, geometry) = (point, placement.geometry)
    let gaps: [(grip: Gesture, points: Double)] = [
      (.gripLeft, point.x), (.gripRight, geometry.width - point.x), (.gripTop, point.y),
      (.gripBottom, geometry.height - point.y),
    ]
    return gaps.filter { $0.points * pointSize <= GestureRule.edge }
      .min { $0.points < $1.points }?.grip
  }
}
