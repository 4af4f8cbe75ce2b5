/// A gesture of one screen and device, with its contacts in the order in which they began.
struct ToldGesture: Sendable {
  /// What a gesture adds to the counts.
  struct Effect {
    let gesture: Gesture
    /// The control on which it began.
    let control: Int?
    /// Whether the screen changed after one of its touches; nil if nothing observed that.
    let isAnswered: Bool?
  }

  private(set) var gesture: Gesture
  private var contacts: [GestureContact]

  /// - Parameter fingers: those that belong together, in the order in which they began.
  private init(_ fingers: [GestureContact]) {
    contacts = fingers
    gesture = Self.gesture(of: fingers)
  }

  var effect: Effect {
    Effect(
      gesture: gesture, control: contacts[0].control,
      isAnswered: contacts.lazy.compactMap(\.isAnswered).reduce(nil as Bool?) { $0 == true || $1 })
  }

  /// Adds the response to a touch, if that is one of the contacts.
  /// - Returns: whether it is.
  mutating func add(_ isAnswered: Bool, to touch: TouchID) -> Bool {
    guard let index = contacts.firstIndex(where: { $0.touch == touch }) else { return false }
    contacts[index].isAnswered = isAnswered
    return true
  }

  private var ended: Timestamp { contacts.reduce(contacts[0].ended) { max($0, $1.ended) } }

  /// Adds a contact to the gestures of its screen and device. The result is the same as if all
  /// contacts had been added in the order in which they began.
  /// - Parameter all: in the order in which they began.
  /// - Returns: the gestures that may have changed, as they were, and the place of the first.
  static func add(
    _ contact: GestureContact, to all: inout [ToldGesture]
  ) -> (before: [Effect], first: Int) {
    // Usually it begins last. Then it is a finger of no gesture that was over.
    let isLast = all.last.map { !GestureContact.isBefore(contact, $0.contacts[0]) } ?? true
    let first = isLast ? all.firstIndex { $0.ended > contact.began } ?? all.count : 0
    // The one before may become a double tap.
    let start = max(0, first - 1)
    let before = all[start...].map(\.effect)
    if first == all.count - 1, all[first].accept(contact) { return (before, start) }
    if first == all.count {
      append(ToldGesture([contact]), to: &all)
    } else {
      let contacts = all[first...].flatMap(\.contacts) + [contact]
      all.removeSubrange(first...)
      for group in groups(of: contacts.sorted(by: GestureContact.isBefore)) {
        append(ToldGesture(group), to: &all)
      }
    }
    return (before, start)
  }

  /// Adds another finger, if it belongs to those of the gesture. Nothing else changes then: several
  /// fingers are no tap of a double tap.
  /// - Returns: whether it was added.
  private mutating func accept(_ contact: GestureContact) -> Bool {
    guard gesture != .doubleTap, contacts.contains(where: { $0.isTogether(with: contact) }) else {
      return false
    }
    let place = contacts.lastIndex { !GestureContact.isBefore(contact, $0) }
    contacts.insert(contact, at: place.map { $0 + 1 } ?? 0)
    gesture = Self.gesture(of: contacts)
    return true
  }

  /// Appends a gesture, or makes a double tap of it and the last one.
  private static func append(_ next: ToldGesture, to all: inout [ToldGesture]) {
    guard let last = all.last, last.isDoubleTap(with: next) else { return all.append(next) }
    all[all.count - 1].gesture = .doubleTap
    all[all.count - 1].contacts += next.contacts
  }

  /// Puts the fingers that belong together into one group, directly or by way of others.
  /// - Parameter contacts: in the order in which they began.
  /// - Returns: in the same order.
  private static func groups(of contacts: [GestureContact]) -> [[GestureContact]] {
    var groups: [[GestureContact]] = []
    for contact in contacts {
      let own = groups.indices.filter { groups[$0].contains { $0.isTogether(with: contact) } }
      guard let first = own.first else {
        groups.append([contact])
        continue
      }
      for index in own.dropFirst().reversed() { groups[first] += groups.remove(at: index) }
      groups[first].append(contact)
      if own.count > 1 { groups[first].sort(by: GestureContact.isBefore) }
    }
    return groups
  }

  /// Tells the gesture of fingers that belong together.
  private static func gesture(of fingers: [GestureContact]) -> Gesture {
    let motion = GestureMotion(fingers)
    let time = fingers.reduce(fingers[0].ended) { max($0, $1.ended) } - fingers[0].began
    let extent = fingers.reduce(0) { max($0, $1.extent.width, $1.extent.height) }
    let spin = max(abs(motion.growth), motion.chord)
    if time < GestureRule.pressTime, max(extent, spin) <= GestureRule.tapExtent {
      return fingers.count == 1 ? .tap : .fingersTap
    }
    if time >= GestureRule.pressTime, extent <= GestureRule.pressExtent { return .longPress }
    // A pinch with a thumb that stays moves the centre by half of the change of the distance.
    if fingers.count > 1, spin >= motion.length {
      if motion.chord > abs(motion.growth), motion.cosine <= GestureRule.turnCosine { return .turn }
      if motion.growth >= GestureRule.growth { return .spread }
      if motion.growth <= -GestureRule.growth { return .pinch }
    }
    let box = fingers.reduce(0) { $0 + $1.diagonal } / Double(fingers.count)
    guard time <= GestureRule.pressTime, motion.length >= GestureRule.swipeLength,
      motion.length >= GestureRule.straightness * box
    else { return .drag }
    if abs(motion.x) >= abs(motion.y) { return motion.x < 0 ? .swipeLeft : .swipeRight }
    return motion.y < 0 ? .swipeUp : .swipeDown
  }

  private func isDoubleTap(with next: ToldGesture) -> Bool {
    guard gesture == .tap, next.gesture == .tap else { return false }
    let (first, second) = (contacts[0], next.contacts[0])
    let (x, y) = (second.start.x - first.start.x, second.start.y - first.start.y)
    return GestureRule.doubleTapPause.contains(second.began - first.ended)
      && (x * x + y * y).squareRoot() <= GestureRule.doubleTapDistance
  }

  /// Whether no contact that ends at `time` or later can change the gesture.
  func isOver(at time: Timestamp) -> Bool {
    time - ended > GestureRule.doubleTapPause.upperBound + GestureRule.pressTime
      && contacts.allSatisfy { $0.isOver(at: time) }
  }
}

extension GestureContact {
  fileprivate var diagonal: Double {
    (extent.width * extent.width + extent.height * extent.height).squareRoot()
  }
}
