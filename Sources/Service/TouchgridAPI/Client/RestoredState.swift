internal import LinuxIO

/// The controls, the screen names and the pause that an app has set by `TouchgridConnection.call`. A
/// new connection sets them again.
struct RestoredState {
  /// The maximum number of lists of controls. Beyond it, the oldest is removed.
  private static let mostLists = 256

  /// The lists of controls, the newest last, one for each screen and display.
  private(set) var controls: [API.SetControls] = []
  /// The last screen name for each display, in chronological order. A name for all displays (nil)
  /// replaces all earlier ones.
  private var names: [(display: String?, name: String)] = []
  /// The end of the pause, on `CLOCK_MONOTONIC` in µs; `.max` if only `Resume` ends it; nil if
  /// there is no pause.
  private var pausedUntil: Int64?

  mutating func note(_ method: some Method) {
    switch method {
    case let screen as API.SetScreen:
      names.removeAll { screen.display == nil || $0.display == screen.display }
      names.append((screen.display, screen.name))
    case let list as API.SetControls:
      controls.removeAll { $0.screen == list.screen && $0.display == list.display }
      controls.append(list)
      if controls.count > Self.mostLists { controls.removeFirst() }
    case let pause as API.Pause:
      let end = pause.durationMs.map { $0.multipliedReportingOverflow(by: 1000) }
      let until = end.map { Clocks.monotonic.addingReportingOverflow($0.partialValue) }
      pausedUntil =
        end?.overflow == true || until?.overflow == true ? .max : until?.partialValue ?? .max
    case is API.Resume: pausedUntil = nil
    default: break
    }
  }

  /// The calls that name the screens again.
  var screens: [API.SetScreen] {
    names.map { API.SetScreen(name: $0.name, display: $0.display) }
  }

  /// The call that begins the pause again, for the remaining time; nil if there is no pause or it
  /// has ended.
  var pause: API.Pause? {
    guard let pausedUntil else { return nil }
    guard pausedUntil < .max else { return API.Pause() }
    let left = (pausedUntil - Clocks.monotonic) / 1000
    return left > 0 ? API.Pause(durationMs: left) : nil
  }
}
