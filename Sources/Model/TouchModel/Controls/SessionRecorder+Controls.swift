/// The controls of screens.
extension SessionRecorder {
  /// Replaces the controls of all screens.
  /// - Parameters:
  ///   - lists: at most one list for each screen and display.
  ///   - moment: the time from which the layouts apply; earlier touches are compared with the
  ///     previous ones. nil: as if they had always applied.
  public mutating func setControls(_ lists: [ScreenControls], at moment: Moment?) {
    controlLayouts.replace(with: lists, at: moment?.monotonic)
  }

  /// The controls of a screen at a touch; nil if there are none.
  func controls(of screen: String, at trace: borrowing TouchTrace) -> ControlSet? {
    let display = trace.placement.display
    let controls = controlLayouts.controls(of: screen, on: display, at: trace.began)
    if controls.isEmpty { return nil }
    return ControlSet(checked: controls, pointSize: pointSize(of: trace))
  }

  /// The size of a point of the touch's display, in mm; an assumed one if it is unknown.
  func pointSize(of trace: borrowing TouchTrace) -> Double {
    let placement = trace.placement
    return panelSizes[placement.display]?.pointSize(on: placement.geometry)
      ?? ControlSet.assumedPointSize
  }

  /// Adds the response to a hit, which may be counted later. Ignores it if there is none.
  public mutating func add(_ response: TouchResponse, at moment: Moment) {
    guard !masks.concern(response.screen) else { return }
    if let hit = responses.takeHit(of: response) {
      add(response, to: hit, at: moment)
    } else {
      responses.wait(with: response, for: ended.map(\.ended.monotonic))
    }
  }

  private mutating func add(
    _ response: TouchResponse, to hit: ResponseMatcher.Hit, at moment: Moment
  ) {
    // A hit that may be a ghost can be removed, so its response is not counted.
    guard !hit.isSuspect else { return }
    update(hit.session, at: moment) { $0.note(ObservedResponse(response, to: hit)) }
  }

  /// Makes a touch that began on a control wait for its response.
  mutating func expectResponse(
    to touch: CountedTouch, _ effects: [TallyEffect], session: Int64, ended: Timestamp,
    at moment: Moment
  ) {
    guard let name = touch.hit?.name, !masks.concern(touch.key.screen, on: touch.key.display)
    else { return }
    let hit = ResponseMatcher.Hit(
      session: session, touch: touch.trace.touch, key: touch.key,
      effect: effects.lazy.compactMap { $0.effect as? SessionControls.Effect }.first,
      name: name, ended: ended, isSuspect: touch.isSuspect)
    if let response = responses.add(hit) { add(response, to: hit, at: moment) }
  }

  /// The maximum number of sets of controls of a screen that are counted in a session.
  public static let controlSetLimit = SessionControls.setLimit

  /// Whether the current session has touches that were not counted for controls.
  public var lacksControls: Bool { current != nil && sessions.last?.hasFullTally == true }
}
