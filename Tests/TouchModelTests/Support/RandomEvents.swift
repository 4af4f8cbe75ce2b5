import TestSupport
import TouchModel

/// Random streams of events: plausible ones, and ones that no device should send.
struct RandomEvents {
  let slotCount: Int
  let isSingle: Bool
  var generator: SeededGenerator
  private var time: Int64 = 0
  private var nextID: Int32 = 100

  init(slotCount: Int, isSingle: Bool, seed: UInt64) {
    self.slotCount = slotCount
    self.isSingle = isSingle
    generator = SeededGenerator(seed: seed)
  }

  mutating func next(below limit: Int) -> Int { Int(generator.next() >> 33) % limit }

  mutating func chance(_ percent: Int) -> Bool { next(below: 100) < percent }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[next(below: values.count)] }

  mutating func next() -> InputEvent {
    let (type, code, value) = isSingle ? nextSingle() : nextMultitouch()
    time += Int64(next(below: 9000))
    return InputEvent(time: Timestamp(microseconds: time), type: type, code: code, value: value)
  }

  private mutating func nextMultitouch() -> (UInt16, UInt16, Int32) {
    switch next(below: 100) {
    case 0..<18: (3, 0x2f, chance(90) ? Int32(next(below: slotCount)) : wild())
    case 18..<38: (3, 0x39, trackingID())
    case 38..<50: (3, 0x35, position())
    case 50..<60: (3, 0x36, position())
    case 60..<65: (3, 0x37, pick([0, 0, 0, 2, 1, 9]))
    case 65..<70: (3, 0x3b, pick([0, 0, 0, 1, 255, -1]))
    default: common()
    }
  }

  private mutating func nextSingle() -> (UInt16, UInt16, Int32) {
    switch next(below: 100) {
    case 0..<25: (1, 0x14a, pick([0, 1, 1, 2, 0, 5, -1]))
    case 25..<45: (3, 0, position())
    case 45..<65: (3, 1, position())
    case 65..<70: (3, pick([0x2f, 0x35, 0x39]), wild())
    default: common()
    }
  }

  private mutating func common() -> (UInt16, UInt16, Int32) {
    switch next(below: 100) {
    case 0..<74: (0, 0, 0)
    case 74..<82: (0, 0, 1)
    case 82..<87: (0, 3, 0)
    case 87..<90: (0, pick([1, 2, 4, .max]), wild())
    case 90..<94: (3, pick([0x30, 0x3a, 0x18, 0x3f, .max]), wild())
    case 94..<97: (1, pick([0x14a, 0x145, 0x110]), isSingle ? 2 : pick([0, 1, 2]))
    default: (pick([4, 5, 0x11, .max]), pick([0, 0x2f, 0x39]), wild())
    }
  }

  private mutating func trackingID() -> Int32 {
    if chance(30) { return -1 }
    if chance(6) { return pick([-2, .min, .max, 0, 0xffff]) }
    if chance(25) { return nextID - Int32(next(below: 4)) }
    nextID += 1
    return nextID
  }

  private mutating func position() -> Int32 {
    chance(3) ? wild() : Int32(next(below: 6))
  }

  private mutating func wild() -> Int32 {
    pick([.min, .max, -1, -2, 256, 300, 4096, Int32(slotCount)])
  }

  /// Returns a random state of the kernel after dropped events: the known state with some of its
  /// values changed.
  mutating func snapshot(near known: ContactSnapshot) -> ContactSnapshot {
    var snapshot = known
    for slot in snapshot.contacts.indices {
      if chance(30) { snapshot.contacts[slot].x = position() }
      if chance(10) { snapshot.contacts[slot].tool = pick([0, 2]) }
      if chance(10) { snapshot.contacts[slot].distance = pick([0, 3]) }
      if chance(25) {
        snapshot.contacts[slot].trackingID = isSingle ? pick([-1, 0]) : trackingID()
      }
    }
    if isSingle {
      snapshot.contacts[0].tool = 0
      snapshot.contacts[0].distance = 0
    } else {
      snapshot.currentSlot = next(below: slotCount)
    }
    return snapshot
  }
}
