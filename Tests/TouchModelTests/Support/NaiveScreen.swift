import TouchModel

/// A simple model of slots by the kernel's `multi-touch-protocol.rst`, with this project's rules
/// added. It records the whole life of every contact and derives the touches afterwards. It is
/// slow, and shares no code with `TouchDecoder`.
struct NaiveScreen {
  struct State: Hashable {
    var x: Int32 = 0
    var y: Int32 = 0
    var tool: Int32 = 0
    var distance: Int32 = 0
    var isPalm: Bool { tool == 2 }
    var isHovering: Bool { distance > 0 }
  }

  enum Fate {
    case alive
    case lifted(frame: Int, State)
    case gone(frame: Int, Cancellation)
  }

  struct LifeOfContact {
    var slot: Int
    var trackingID: Int32
    var wasThereAtOpening: Bool
    /// The frame of the touch-down.
    var landed: Int
    /// The state of the contact at the end of each frame, except a frame that was cut short after
    /// the touch-down.
    var history: [(frame: Int, state: State)] = []
    var fate = Fate.alive
  }

  /// One update of a touch: the touch in one frame.
  struct Step: Hashable {
    var frame: Int
    var phase: Phase
    var cancellation: Cancellation?
    var slot: Int
    var trackingID: Int32?
    var x: Int32
    var y: Int32
    var preexisting: Bool
  }

  let slotCount: Int
  let isSingle: Bool
  private(set) var frame = 1
  private(set) var lives: [LifeOfContact] = []
  private var inSlot: [Int: Int] = [:]
  private var states: [Int: State] = [:]
  private var selected: Int? = 0
  private(set) var ignoresUntilReport = false

  init(slotCount: Int, isSingle: Bool) {
    self.slotCount = slotCount
    self.isSingle = isSingle
  }

  /// Processes one event.
  /// - Returns: whether the decoder must now read the kernel's state.
  mutating func read(_ event: InputEvent) -> Bool {
    switch (event.type, event.code) {
    case (0, 0):
      if ignoresUntilReport {
        ignoresUntilReport = false
        frame += 1
        return true
      }
      endFrame(isWhole: event.value == 0)
    case (0, 3):
      // If lost events cut off a frame, only its touch-ups are certain.
      if !ignoresUntilReport { frame += 1 }
      ignoresUntilReport = true
    case _ where ignoresUntilReport: break
    case (3, 0x2f) where !isSingle:
      selected = (0..<slotCount).contains(Int(event.value)) ? Int(event.value) : nil
    case (3, 0x35) where !isSingle: change { $0.x = event.value }
    case (3, 0x36) where !isSingle: change { $0.y = event.value }
    case (3, 0x37) where !isSingle: change { $0.tool = event.value }
    case (3, 0x3b) where !isSingle: change { $0.distance = event.value }
    case (3, 0x39) where !isSingle: if let selected { contact(event.value, in: selected) }
    case (3, 0) where isSingle: change { $0.x = event.value }
    case (3, 1) where isSingle: change { $0.y = event.value }
    case (1, 0x14a) where isSingle && event.value != 2: contact(event.value == 0 ? -1 : 0, in: 0)
    default: break
    }
    return false
  }

  mutating func adopt(_ snapshot: ContactSnapshot, atOpening: Bool) {
    for (slot, contact) in snapshot.contacts.enumerated() {
      let known = inSlot[slot].map { lives[$0].trackingID }
      let actual = contact.trackingID < 0 ? nil : contact.trackingID
      if known != actual {
        if let index = inSlot[slot] { lives[index].fate = .gone(frame: frame, .lost) }
        inSlot[slot] = nil
        if let actual { land(actual, in: slot, atOpening: atOpening) }
      }
      states[slot] = State(
        x: contact.x, y: contact.y, tool: contact.tool, distance: contact.distance)
    }
    selected = snapshot.currentSlot
    ignoresUntilReport = false
    endFrame(isWhole: true)
  }

  mutating func lose(_ reason: Cancellation) {
    for index in inSlot.values { lives[index].fate = .gone(frame: frame, reason) }
    inSlot = [:]
    frame += 1
  }

  /// Returns the kernel's current state.
  var snapshot: ContactSnapshot {
    ContactSnapshot(
      currentSlot: selected ?? 0,
      contacts: (0..<slotCount).map { slot in
        let state = states[slot] ?? State()
        return Contact(
          trackingID: inSlot[slot].map { lives[$0].trackingID } ?? -1, x: state.x, y: state.y,
          distance: state.distance, tool: state.tool)
      })
  }

  private mutating func change(_ body: (inout State) -> Void) {
    if let selected { body(&states[selected, default: State()]) }
  }

  private mutating func contact(_ id: Int32, in slot: Int) {
    let new = id < 0 ? nil : id
    guard new != inSlot[slot].map({ lives[$0].trackingID }) else { return }
    if let index = inSlot[slot] {
      lives[index].fate = .lifted(frame: frame, states[slot] ?? State())
      inSlot[slot] = nil
    }
    if let new { land(new, in: slot, atOpening: false) }
  }

  private mutating func land(_ id: Int32, in slot: Int, atOpening: Bool) {
    inSlot[slot] = lives.count
    lives.append(
      LifeOfContact(slot: slot, trackingID: id, wasThereAtOpening: atOpening, landed: frame))
  }

  private mutating func endFrame(isWhole: Bool) {
    for (slot, index) in inSlot {
      // In a frame that the kernel cut short, a new contact may not have all its values yet.
      if !isWhole, lives[index].landed == frame { continue }
      lives[index].history.append((frame, states[slot] ?? State()))
    }
    frame += 1
  }
}

extension NaiveScreen {
  /// All touches so far, each with its updates in all frames.
  var touches: [[Step]] { lives.flatMap(touches) }

  private func touches(of life: LifeOfContact) -> [[Step]] {
    var touches: [[Step]] = []
    var isDown = false
    var last: State?
    func step(
      _ frame: Int, _ phase: Phase, _ state: State, _ cancellation: Cancellation? = nil
    ) {
      let began = touches.last?.first?.frame ?? frame
      touches[touches.count - 1].append(
        Step(
          frame: frame, phase: phase, cancellation: cancellation, slot: life.slot,
          trackingID: isSingle ? nil : life.trackingID, x: state.x, y: state.y,
          preexisting: life.wasThereAtOpening && began == life.history.first?.frame))
    }
    func land(_ frame: Int, _ state: State) {
      touches.append([])
      step(frame, .began, state)
      isDown = true
    }
    for (frame, state) in life.history {
      if state.isPalm {
        if isDown, let last {
          step(frame, .cancelled, last, .palm)
        } else {
          land(frame, state)
          step(frame, .cancelled, state, .palm)
        }
        return touches
      } else if state.isHovering {
        if isDown, let last { step(frame, .ended, last) }
        isDown = false
      } else if isDown, let last {
        let moved = last.x != state.x || last.y != state.y
        step(frame, moved ? .moved : .stationary, state)
      } else {
        land(frame, state)
      }
      last = state
    }
    switch life.fate {
    case .alive: break
    case .gone(let frame, let reason):
      if isDown, let last { step(frame, .cancelled, last, reason) }
    case .lifted(let frame, let state) where life.history.isEmpty:
      if state.isPalm || !state.isHovering { land(frame, state) }
      if state.isPalm { step(frame, .cancelled, state, .palm) }
      if !state.isPalm, isDown { step(frame, .ended, state) }
    case .lifted(let frame, let state):
      guard isDown, let last else { break }
      if state.isPalm {
        step(frame, .cancelled, last, .palm)
      } else {
        step(frame, .ended, state.isHovering ? last : state)
      }
    }
    return touches
  }
}
