internal import Text

/// Counts the gestures of one session. The result depends on the touches alone, and not on the order
/// in which they are committed.
struct GestureTally: CountTally {
  /// The maximum number of screens, on all their geometries. Touches on further ones are no gestures.
  static let screenLimit = 1024
  /// The maximum number of controls. Gestures on further ones count for their screens alone.
  static let controlLimit = 1024
  /// The maximum number of gestures of one screen and device that later touches may change, and of
  /// such screens and devices.
  private static let recentLimit = 64
  private static let glassLimit = 16
  /// By how much longer a short touch may wait for its screen's name than a long one, in µs: the
  /// maximum of `late_names`, and a second.
  private static let longestWait: Int64 = 6_000_000

  /// What a touch that may prove to be a ghost has added: a tap.
  private struct Effect: Sendable {
    let screen: Int
    let control: Int?
  }

  /// The counts of a subject.
  private struct Place: Sendable {
    let subject: CountSubject
    var numbers = Array(repeating: Int64(0), count: GestureKind.numberCount)
    var hasChanged = true

    mutating func add(_ amount: Int64, _ gesture: Gesture, isAnswered: Bool?) {
      let first = GestureKind.index(of: gesture, .times)
      func add(_ number: GestureNumber) { numbers[first + number.rawValue] += amount }
      add(.times)
      if let isAnswered {
        add(.observed)
        if !isAnswered { add(.unanswered) }
      }
      numbers[first + GestureNumber.sessions.rawValue] = min(1, numbers[first])
      hasChanged = true
    }
  }

  private struct Screen: Sendable {
    var place: Place
    /// The places of its controls in `controls`, by their names.
    var controls: [ExactName: Int] = [:]
  }

  /// A device while it shows one screen.
  private struct Glass: Sendable {
    let screen: Int
    let device: String
    /// The gestures that later touches may change, in the order in which they began. They are counted.
    var recent: [ToldGesture] = []

    mutating func trim(asOf time: Timestamp) {
      let over = recent.prefix { $0.isOver(at: time) }.count
      let surplus = max(over, recent.count - recentLimit)
      if surplus > 0 { recent.removeFirst(surplus) }
    }
  }

  private var screens = ScreenList<Screen>()
  private var controls: [Place] = []
  /// Those with recent gestures; usually one.
  private var glasses: [Glass] = []
  /// The time at which the last of all touches ended.
  private var lastEnded = Timestamp(microseconds: .min)

  mutating func add(_ touch: CountedTouch) -> (any Sendable)? {
    // Of a touch that was down before, or was cancelled, a part is unknown.
    guard touch.isWhole, let screen = place(of: touch.key) else { return nil }
    let control = touch.hit.flatMap { place(ofControl: $0.name, on: screen) }
    if let grip = touch.grip {
      add(1, .init(gesture: grip, control: control, isAnswered: nil), on: screen)
      return nil
    }
    if touch.isSuspect {
      // It may be taken back, so no other touch belongs to it.
      add(1, .init(gesture: .tap, control: control, isAnswered: nil), on: screen)
      return Effect(screen: screen, control: control)
    }
    add(
      GestureContact(touch, control: control), on: screen, of: touch.trace.placement.device)
    return nil
  }

  mutating func add(_ contact: GestureContact, on screen: Int, of device: String) {
    let known = glasses.firstIndex { $0.screen == screen && $0.device.hasSameBytes(as: device) }
    if known == nil { glasses.append(Glass(screen: screen, device: device)) }
    let glass = known ?? glasses.count - 1
    let (before, changes) = ToldGesture.add(contact, to: &glasses[glass].recent)
    for effect in before { add(-1, effect, on: screen) }
    for told in glasses[glass].recent[changes...] { add(1, told.effect, on: screen) }
    lastEnded = max(lastEnded, contact.ended)
    let soonest = lastEnded + -Self.longestWait
    for index in glasses.indices { glasses[index].trim(asOf: soonest) }
    if glasses.count > 1 {
      glasses = glasses.filter { !$0.recent.isEmpty }.suffix(Self.glassLimit)
    }
  }

  private mutating func add(_ amount: Int64, _ effect: ToldGesture.Effect, on screen: Int) {
    screens.values[screen].place.add(amount, effect.gesture, isAnswered: effect.isAnswered)
    if let control = effect.control {
      controls[control].add(amount, effect.gesture, isAnswered: effect.isAnswered)
    }
  }

  mutating func note(_ event: any Sendable) {
    guard let response = event as? ObservedResponse else { return }
    for index in glasses.indices {
      for told in glasses[index].recent.indices {
        let before = glasses[index].recent[told].effect
        guard
          glasses[index].recent[told].add(response.isAnswered, to: response.hit.touch)
        else { continue }
        add(-1, before, on: glasses[index].screen)
        return add(1, glasses[index].recent[told].effect, on: glasses[index].screen)
      }
    }
  }

  /// Returns the place of a control, which may be new.
  /// - Returns: nil if there is no room for it.
  mutating func place(ofControl name: String, on screen: Int) -> Int? {
    let exact = ExactName(name)
    if let known = screens.values[screen].controls[exact] { return known }
    guard controls.count < Self.controlLimit else { return nil }
    controls.append(Place(subject: GestureKind.subject(screens.keys[screen], control: name)))
    screens.values[screen].controls[exact] = controls.count - 1
    return controls.count - 1
  }

  /// Returns the place of a screen, which may be new.
  /// - Returns: nil if there is no room for it.
  mutating func place(of key: GridKey) -> Int? {
    guard screens.values.count < Self.screenLimit else { return screens.place(of: key) }
    return screens.place(of: key, orNew: Screen(place: Place(subject: GestureKind.subject(key))))
  }

  mutating func moveOutGhost(_ effect: any Sendable) {
    guard let effect = effect as? Effect else { return }
    add(-1, .init(gesture: .tap, control: effect.control, isAnswered: nil), on: effect.screen)
  }

  func counts(all: Bool) -> [SubjectCounts] {
    (screens.values.map(\.place) + controls).filter { all || $0.hasChanged }
      .map { SubjectCounts($0.subject, $0.numbers) }
  }

  mutating func clearChanges() {
    for screen in screens.values.indices { screens.values[screen].place.hasChanged = false }
    for control in controls.indices { controls[control].hasChanged = false }
  }
}
