import TouchModel
import TouchgridAPI

/// An event of `touchgrid wait`.
struct AwaitedEvent: Equatable, Encodable {
  enum Kind: String, Encodable {
    case touch, idle, screen
  }

  var event: Kind
  /// The time at which the state began, in ms since 1970; nil if unknown.
  var sinceAtMs: Int64?
  /// The name of the screen.
  var screen: String?
}

/// Decides which states of the touchscreens are events.
struct ActivityEvents {
  var wantsTouch: Bool
  var wantsIdle: Bool
  /// The last known state. It stays known while the daemon restarts.
  private var last: API.ActivityState?

  init(wantsTouch: Bool, wantsIdle: Bool) {
    (self.wantsTouch, self.wantsIdle) = (wantsTouch, wantsIdle)
  }

  /// - Returns: nil if the reply is not an event: its state is not awaited, unknown, or the same as
  ///   before.
  mutating func event(for reply: API.WatchActivity.Reply) -> AwaitedEvent? {
    guard let state = reply.state, state != last else { return nil }
    last = state
    switch state {
    case .active:
      return wantsTouch ? AwaitedEvent(event: .touch, sinceAtMs: reply.sinceAtMs) : nil
    case .idle:
      return wantsIdle ? AwaitedEvent(event: .idle, sinceAtMs: reply.sinceAtMs) : nil
    }
  }
}

/// Decides when the awaited screen appears.
struct ScreenEvents {
  var screen: String
  /// nil: any display.
  var display: String?
  private var isShown = false

  init(screen: String, display: String?) { (self.screen, self.display) = (screen, display) }

  /// - Returns: nil if the screen does not appear with this reply.
  mutating func event(for reply: API.WatchTouches.Reply) -> AwaitedEvent? {
    guard let displays = reply.displays else { return nil }
    let wasShown = isShown
    isShown = displays.contains { $0.screen == screen && (display ?? $0.name) == $0.name }
    return isShown && !wasShown ? AwaitedEvent(event: .screen, screen: screen) : nil
  }
}
