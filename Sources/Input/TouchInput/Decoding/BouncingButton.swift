internal import TouchModel

/// `BTN_TOUCH` of single-touch panels that press and release it in every frame while a finger is
/// down. Kernels before 3.18 do so with PenMount panels, because they map two usages of the panel's
/// reports to this button.
///
/// A release in the same frame as its press is held until the next frame. If that frame presses the
/// button again within `limit`, the finger has stayed down. Otherwise the touch ends at the time of
/// the release: a single press and release in one frame is still a touch.
struct BouncingButton {
  enum Decision {
    case pass
    /// Keep the event from the decoder.
    case hold
    /// Pass this release on first.
    case passAfterRelease(InputEvent)
  }

  /// A time in µs between two presses that is too short for a touch-up and a new touch-down.
  static let limit: Int64 = 50_000

  /// Whether the current frame has pressed the button.
  private var isPressed = false
  /// The held release; nil if there is none.
  private var release: InputEvent?
  /// Whether the release is from an earlier frame.
  private(set) var isHeld = false

  /// - Parameter event: any event except events of axes.
  mutating func process(_ event: InputEvent) -> Decision {
    switch (event.type, event.code) {
    case (EventType.key, KeyCode.buttonTouch) where event.value != 2:
      return event.value == 0 ? holdRelease(event) : press(event)
    case (EventType.syn, SynCode.report): return endFrame(event)
    case (EventType.syn, SynCode.dropped): return passRelease()
    default: return .pass
    }
  }

  private mutating func holdRelease(_ event: InputEvent) -> Decision {
    guard isPressed, release == nil else { return .pass }
    release = event
    return .hold
  }

  private mutating func press(_ event: InputEvent) -> Decision {
    isPressed = true
    // Two touches within one frame remain separate.
    guard let release, isHeld, 0...Self.limit ~= event.time - release.time else {
      return passRelease()
    }
    (self.release, isHeld) = (nil, false)
    return .hold
  }

  private mutating func endFrame(_ event: InputEvent) -> Decision {
    isPressed = false
    guard release == nil || isHeld else {
      isHeld = true
      return .pass
    }
    return passRelease()
  }

  private mutating func passRelease() -> Decision {
    defer { (release, isHeld) = (nil, false) }
    return release.map { .passAfterRelease($0) } ?? .pass
  }

  /// Returns the held release if it is final at `time`; nil if there is none.
  mutating func takeRelease(before time: Timestamp) -> InputEvent? {
    guard isHeld, let release, !(0...Self.limit ~= time - release.time) else { return nil }
    (self.release, isHeld) = (nil, false)
    return release
  }
}
