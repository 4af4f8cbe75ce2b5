import TestSupport
import Testing

@testable import TouchModel

/// What sessions count for the health of panels.
@Suite struct PanelCountingTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  /// The panel of `Placement.test` has 64 units in a column, and 85.3 in a row.
  private func counts(_ kiosk: Kiosk, _ session: Int64 = 1) throws -> PanelCounts {
    let record = try #require(kiosk.finals.first { $0.id == session })
    #expect(record.panels.count <= 1)
    return record.panels.first?.counts ?? PanelCounts()
  }

  private func hour(_ kiosk: Kiosk) -> Int { Int(kiosk.now.wall.milliseconds / 3_600_000 % 24) }

  @Test func `A tap is counted where it began, with the key of its panel`() throws {
    var kiosk = Kiosk()
    let placement = try #require(Placement.test())
    let panel = try kiosk.add(placement)
    kiosk.tap(panel, 650, 900)
    kiosk.stop()
    let record = try #require(kiosk.finals.first?.panels.first)
    #expect(record.key.device == placement.device)
    #expect(record.key.x == PanelAxis(minimum: 0, maximum: 4095))
    var expected = PanelCounts()
    expected[column: 10, row: 10] = 1
    #expect(record.counts == expected)
  }

  @Test mutating func `A swipe crosses lines and is counted once it is committed`() throws {
    kiosk.down(panel, 0, 100, 100)
    for x in stride(from: 120 as Int32, through: 400, by: 20) {
      kiosk.pass(10)
      kiosk.move(panel, 0, x, 100)
    }
    kiosk.pass(6000)
    #expect(!kiosk.records.contains { !$0.panels.isEmpty }, "while it is down")
    kiosk.up(panel, 0)
    kiosk.stop()
    let counts = try counts(kiosk)
    #expect((2...5).allSatisfy { counts[.crossed, .vertical, $0] == 1 })
    #expect(counts[.crossed, .vertical, 1] == 0 && counts[.crossed, .vertical, 6] == 0)
    #expect(counts.contacts == 1)
  }

  @Test func `A checkpoint has the panels that changed, and the last record all of them`() throws {
    var kiosk = Kiosk()
    let (one, two) = (
      try kiosk.add(.test()), try kiosk.add(.test(x: 0...99, display: "DSI-2"))
    )
    kiosk.tap(one)
    kiosk.tap(two, 50, 50)
    kiosk.pass(6000)
    kiosk.tap(two, 50, 50)
    kiosk.pass(6000)
    kiosk.stop()
    #expect(kiosk.records.map(\.panels.count) == [2, 1, 2])
    let last = try #require(kiosk.finals.first).panels
    #expect(last.map(\.counts.contacts) == [1, 2], "sorted by keys, not by their first use")
    #expect(last.map(\.key.x.maximum) == [4095, 99])
  }

  @Test func `Nothing of palms, echoes and unrecorded touches is counted`() throws {
    var rules = SessionRules()
    rules.mode = .manual
    var kiosk = Kiosk(rules)
    let panel = try kiosk.add(.test())
    let virtual = try kiosk.add(.test(x: 0...1023), isVirtual: true)
    kiosk.tap(panel)
    kiosk.pass(1000)
    let session = kiosk.beginSession()
    kiosk.down(panel, 0, 500, 500, isPalm: true)
    kiosk.down(panel, 1, 600, 600)
    kiosk.down(virtual, 1, 600, 600)
    kiosk.pass(30)
    kiosk.up(virtual, 1)
    kiosk.up(panel, 1)
    kiosk.pass(1000)
    kiosk.pause()
    kiosk.tap(panel)
    kiosk.resume()
    kiosk.stop()
    let counts = try counts(kiosk, session)
    #expect(counts.contacts == 1)
    #expect(counts[column: 9, row: 7] == 1)
    #expect(counts.numbers.reduce(0, +) == 1)
  }

  @Test mutating func `A short contact is counted by its hour in UTC`() throws {
    let hour = hour(kiosk)
    kiosk.tap(panel, milliseconds: 19)
    kiosk.tap(panel, milliseconds: 20)
    kiosk.down(panel)
    kiosk.pass(5)
    kiosk.up(panel, 0, .cancelled, .lost)
    kiosk.down(panel, preexisting: true)
    kiosk.pass(5)
    kiosk.up(panel, 0)
    kiosk.stop()
    let counts = try counts(kiosk)
    #expect((0..<24).map { counts[shortIn: $0] } == (0..<24).map { $0 == hour ? 1 : 0 })
    #expect(counts.contacts == 4)
  }

  @Test mutating func `Ghosts are taken back and counted by hour`() throws {
    let hour = hour(kiosk)
    kiosk.tap(panel)
    kiosk.pass(12_856)
    kiosk.haunt(panel, 4)
    kiosk.stop()
    let counts = try counts(kiosk)
    #expect(counts.contacts == 1)
    #expect((0..<24).allSatisfy { counts[shortIn: $0] == 0 })
    #expect(counts[ghostsIn: hour] == 4)
    #expect(kiosk.finals.first?.totals.ghosts == 4)
  }

  @Test mutating func `Two contacts that begin close to each other are a pair`() throws {
    kiosk.tapTogether(panel, (640, 900), (768, 900))
    // A third one, far away from the next.
    kiosk.tapTogether(panel, (640, 900), (2000, 900))
    kiosk.stop()
    let counts = try counts(kiosk)
    #expect(counts[.pairs, .vertical, 11] == 1)
    #expect(counts[.pairs, .horizontal, 10] == 1)
    #expect((0..<64).reduce(0) { $0 + counts[.pairs, .vertical, $1] } == 1)
    #expect(kiosk.recorder.pairs.isEmpty)
  }

  /// A person touches beside a mask, and a second finger is inside the mask or absent.
  private func beside(mask: Bool, second: Bool, slides: Bool) throws -> [PanelRecord] {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    if mask {
      try kiosk.mask(
        Mask(screen: "default", rectangle: Rectangle(x: 512, y: 0, width: 512, height: 768)))
    }
    kiosk.tap(panel, 100, 100)
    if second { kiosk.down(panel, 1, slides ? 2040 : 2050, 900) }
    kiosk.down(panel, 0, 1990, 900)
    kiosk.pass(50)
    kiosk.move(panel, 1, 2060, 910)
    kiosk.pass(50)
    kiosk.up(panel, 0)
    kiosk.pass(1000)
    kiosk.up(panel, 1)
    kiosk.stop()
    #expect(kiosk.recorder.pairs.isEmpty)
    return try #require(kiosk.finals.first).panels
  }

  @Test(arguments: [false, true])
  func `A finger in a mask leaves no trace, not even as a pair`(slides: Bool) throws {
    let alone = try beside(mask: true, second: false, slides: slides)
    #expect(try beside(mask: true, second: true, slides: slides) == alone)
    let seen = try beside(mask: false, second: true, slides: slides)
    #expect(seen.first?.counts[.pairs, .vertical, 31] == 1)
  }

  /// Three fingers close together, of which one is on each slot; one of them may be in a mask.
  private func three(slots: [Int], hidden: Bool) throws -> [PanelRecord] {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(
      Mask(screen: "default", rectangle: Rectangle(x: 512, y: 0, width: 512, height: 768)))
    kiosk.tap(panel, 100, 100)
    for (slot, x) in zip(slots, [2050, 1990, 1930] as [Int32]) where x < 2048 || hidden {
      kiosk.down(panel, slot, x, 900)
    }
    kiosk.pass(50)
    for (slot, x) in zip(slots, [2050, 1990, 1930] as [Int32]) where x < 2048 || hidden {
      kiosk.move(panel, slot, x - 5, 910)
    }
    kiosk.pass(50)
    for (slot, x) in zip(slots, [2050, 1990, 1930]) where x < 2048 || hidden {
      kiosk.up(panel, slot)
    }
    kiosk.stop()
    #expect(kiosk.recorder.pairs.isEmpty)
    return try #require(kiosk.finals.first).panels
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func `A finger in a mask hides no pair of two others`(slots: [Int]) throws {
    let alone = try three(slots: slots, hidden: false)
    #expect(alone.first?.counts[.pairs, .vertical, 30] == 1)
    #expect(try three(slots: slots, hidden: true) == alone)
  }

  @Test mutating func `Pairs that wait for a finger that stays do not pile up`() throws {
    kiosk.down(panel, 0, 640, 900)
    for _ in 0..<100 {
      kiosk.down(panel, 1, 768, 900)
      kiosk.pass(80)
      kiosk.move(panel, 1, 768, 1000)
      kiosk.pass(80)
      kiosk.up(panel, 1)
      kiosk.pass(1000)
    }
    kiosk.move(panel, 0, 640, 1000)
    kiosk.up(panel, 0)
    kiosk.stop()
    #expect(try counts(kiosk)[.pairs, .vertical, 11] == 32)
    #expect(kiosk.recorder.pairs.isEmpty)
  }

  @Test func `Nothing is counted if the owner does not want it`() throws {
    var kiosk = Kiosk(SessionRules(countsPanels: false))
    let panel = try kiosk.add(.test())
    kiosk.tap(panel)
    kiosk.haunt(panel, 4)
    kiosk.tapTogether(panel, (640, 900), (768, 900))
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.counted == 3)
    #expect(kiosk.records.allSatisfy { $0.panels.isEmpty })
    #expect(kiosk.recorder.pairs.isEmpty)
  }

  @Test func `Only the first sixteen panels of a recorder are counted`() throws {
    var kiosk = Kiosk()
    for number in 1...20 {
      let panel = try kiosk.add(.test(x: 0...Int32(100 * number)))
      kiosk.tap(panel, 50, 50)
      // Another session for each.
      kiosk.pass(120_000)
    }
    kiosk.stop()
    let counted = kiosk.finals.filter { !$0.panels.isEmpty }
    #expect(kiosk.finals.count == 20 && counted.count == PanelTally.limit)
  }

  @Test mutating func `The contacts of random sessions are the touches that were counted`() throws {
    var random = SeededGenerator(seed: 11)
    try kiosk.mask(
      Mask(screen: "default", rectangle: Rectangle(x: 700, y: 0, width: 324, height: 768)))
    var down: Set<Int> = []
    for _ in 0..<400 {
      let slot = Int(random.next() % 4)
      let (x, y) = (Int32(random.next() % 4096), Int32(random.next() % 4096))
      switch random.next() % 6 {
      case 0, 1: if down.insert(slot).inserted { kiosk.down(panel, slot, x, y) }
      case 2: kiosk.move(panel, slot, x, y)
      case 3: if down.remove(slot) != nil { kiosk.up(panel, slot) }
      case 4: if down.remove(slot) != nil { kiosk.up(panel, slot, .cancelled, .palm) }
      default: kiosk.pass(Int64(random.next() % 30_000))
      }
    }
    kiosk.stop()
    #expect(!kiosk.finals.isEmpty)
    for record in kiosk.finals {
      let contacts = record.panels.reduce(0) { $0 + $1.counts.contacts }
      #expect(contacts == Int64(record.totals.counted))
    }
  }

  @Test func `A session counts at most sixteen panels`() {
    var tally = PanelTally()
    for number in 0..<20 {
      let axis = PanelAxis(minimum: 0, maximum: Int32(number + 1))
      tally.addGhost(of: PanelKey(device: "a", x: axis, y: axis), in: 3)
    }
    let panels = tally.counts(all: true).compactMap { PanelRecord($0) }
    #expect(panels.count == PanelTally.limit)
    #expect(panels.allSatisfy { $0.counts[ghostsIn: 3] == 1 })
    tally.clearChanges()
    #expect(tally.counts(all: false).isEmpty)
  }
}
