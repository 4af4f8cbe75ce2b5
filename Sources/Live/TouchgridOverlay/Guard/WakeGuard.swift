/// Decides when the touches on a dark screen are kept from the app. It uses no window and no clock.
struct WakeGuard: Equatable {
  enum State: Equatable {
    /// The app gets all touches.
    case lit
    /// The next touch wakes the screen.
    case dark
    /// The screen wakes up. No touch reaches the app until every finger has lifted.
    case waking
  }

  private(set) var state = State.lit
  private var contacts: Set<UInt> = []

  /// The longest time, in ms, from the light to the touch that caused it: the X server, and the
  /// daemon, report the light first.
  static let longestDelay = 500
  /// The longest time, in ms, to wait for fingers: a thing may lie on the glass, or the desktop may
  /// lose a touch-up.
  static let longestTouch = 10_000

  /// The time, in ms, after which `settle` must be called; nil while nothing is waited for.
  var waitingTime: Int? {
    guard state == .waking else { return nil }
    return contacts.isEmpty ? Self.longestDelay : Self.longestTouch
  }

  mutating func darken() {
    if state == .lit || contacts.isEmpty { state = .dark }
  }

  /// Something other than a touch on the shield has lit the screen.
  /// - Returns: whether it was dark.
  mutating func light() -> Bool {
    guard state == .dark else { return false }
    state = .waking
    return true
  }

  /// A finger is down on the shield.
  /// - Returns: whether it must wake the screen.
  mutating func begin(_ contact: UInt) -> Bool {
    contacts.insert(contact)
    return light()
  }

  mutating func end(_ contact: UInt) {
    guard contacts.remove(contact) != nil, contacts.isEmpty else { return }
    if state == .waking { state = .lit }
  }

  /// Gives the touches back to the app, because the time to wait is over.
  mutating func settle() {
    contacts = []
    if state == .waking { state = .lit }
  }
}
