/// What the app shows.
extension SessionRecorder {
  /// Why a screen could not be named.
  public enum ScreenError: Error, Hashable, Sendable {
    /// The session has `limit` screens already.
    case tooManyScreens(limit: Int)
    /// The time of the change lies further back than late names are taken.
    case tooLate(microseconds: Int64)
  }

  /// The app shows another screen.
  /// - Parameters:
  ///   - name: checked by the caller: at most 128 bytes of printable UTF-8.
  ///   - display: nil for all of them.
  ///   - changed: when, on `CLOCK_MONOTONIC`; nil for now.
  public mutating func setScreen(
    _ name: String, display: String? = nil, changed: Timestamp? = nil, at moment: Moment
  ) throws(ScreenError) {
    let time = min(changed ?? moment.monotonic, moment.monotonic)
    guard moment.monotonic - time <= rules.lateNames else {
      throw .tooLate(microseconds: moment.monotonic - time)
    }
    if let last = sessions.indices.last, !sessions[last].admit(screen: name) {
      throw .tooManyScreens(limit: OpenSession.screenLimit)
    }
    revision += 1
    let earliest = earliestNeeded(by: moment.monotonic)
    if display == nil {
      screens.insert(name, at: time)
      screens.forget(before: earliest)
    }
    for key in Array(displays.keys) where display == nil || key == display {
      displays[key]?.timeline.insert(name, at: time)
      displays[key]?.timeline.forget(before: earliest)
    }
    // How long it is shown is to be stored, and what came before can then be forgotten.
    updateCurrent(at: moment) { _ in }
  }
}
