import TestSupport
import Testing

@testable import TouchModel

/// What gestures touches are told as. The hands that make them know no limits (`Hand`).
@Suite struct GestureTests {
  private static let panels: [(width: Double, height: Double, pixels: Int, scale: Double)] = [
    (154, 86, 800, 1), (344, 194, 1920, 1), (708, 398, 3840, 2),
  ]

  private static func kiosk(_ mode: SessionRules.Mode = .manual) -> Kiosk {
    var rules = SessionRules()
    rules.mode = mode
    return Kiosk(rules)
  }

  /// On panels of 7, 15.6 and 32 inches: 200 examples on each.
  @Test(arguments: Hand.Intent.allCases)
  func `Of 600 examples of a gesture, 99 % are told as this gesture and nothing else`(
    intent: Hand.Intent
  ) throws {
    var wrong: [GestureTimes: Int] = [:]
    for (number, size) in Self.panels.enumerated() {
      let panel = try HandPanel(
        width: size.width, height: size.height, pixels: size.pixels, scale: size.scale)
      var kiosk = Self.kiosk()
      let device = try panel.add(to: &kiosk)
      var hand = Hand(seed: UInt64(100 * number + 7), width: size.width, height: size.height)
      for _ in 0..<200 {
        let session = kiosk.beginSession()
        kiosk.play(hand.make(intent), on: panel, device)
        kiosk.pass(1000)
        kiosk.endSession()
        kiosk.pass(6000)
        let told = try #require(kiosk.finals.last)
        #expect(told.id == session)
        if told.gestures != [intent.gesture: 1] { wrong[told.gestures, default: 0] += 1 }
        kiosk.records = []
      }
    }
    let count = wrong.values.reduce(0, +)
    print("\(intent.rawValue): \(count) of 600 wrong \(wrong)")
    #expect(count <= 6, "\(wrong)")
  }
}

@Suite struct GestureStreamTests {
  private struct Contact {
    let contact: GestureContact
    let device: String
    var committed: Timestamp = .ms(0)
  }

  /// Touches in the order in which they begin, with many that overlap.
  private func contacts(_ random: inout SeededGenerator) -> [Contact] {
    var began: Int64 = 0
    return (1...Int.random(in: 1...150, using: &random)).map { number in
      began += .random(in: 0...(Bool.random(using: &random) ? 60 : 700), using: &random)
      let longest: Int64 = Int.random(in: 0..<8, using: &random) == 0 ? 3000 : 250
      let lasts = Int64.random(in: 1...longest, using: &random)
      func point() -> Point {
        Point(x: .random(in: 0...30, using: &random), y: .random(in: 0...30, using: &random))
      }
      let (start, end) = (point(), point())
      let stays = Bool.random(using: &random)
      var contact = GestureContact(
        began: .ms(began), ended: .ms(began + lasts), start: start, end: stays ? start : end,
        extent: stays ? (1, 1) : (abs(end.x - start.x), abs(end.y - start.y)),
        touch: TouchID(UInt64(number)), control: [nil, 0, 1].randomElement(using: &random) ?? nil)
      contact.isAnswered = [nil, true, false].randomElement(using: &random) ?? nil
      return Contact(
        contact: contact, device: Int.random(in: 0..<5, using: &random) == 0 ? "b" : "a")
    }
  }

  /// The numbers of the screen and of two controls, without the numbers of sessions.
  private typealias Numbers = [[GestureNumber: GestureTimes]]

  private func numbers(_ tally: GestureTally) -> Numbers {
    tally.counts(all: true).map { counts in
      Dictionary(
        uniqueKeysWithValues: [GestureNumber.times, .observed, .unanswered].map {
          ($0, counts.numbers($0))
        })
    }
  }

  /// Tells the gestures of all contacts of one device at once.
  private func add(_ contacts: [GestureContact], to numbers: inout Numbers) {
    for (gesture, fingers) in NaiveGestures.tell(contacts) {
      let answers = fingers.compactMap(\.isAnswered)
      for place in [0, fingers[0].control.map { $0 + 1 }].compactMap(\.self) {
        numbers[place][.times]?[gesture, default: 0] += 1
        if answers.isEmpty { continue }
        numbers[place][.observed]?[gesture, default: 0] += 1
        if !answers.contains(true) { numbers[place][.unanswered]?[gesture, default: 0] += 1 }
      }
    }
  }

  /// The contact as the tally gets it, and its response.
  private func split(_ contact: GestureContact) -> (GestureContact, ObservedResponse?) {
    var plain = contact
    plain.isAnswered = nil
    let hit = ResponseMatcher.Hit(
      session: 1, touch: contact.touch, key: key, effect: nil, name: "", ended: contact.ended,
      isSuspect: false)
    return (
      plain,
      contact.isAnswered.map { isAnswered in
        ObservedResponse(
          TouchResponse(
            screen: "", display: nil, control: "", ended: contact.ended,
            milliseconds: isAnswered ? 10 : nil), to: hit)
      }
    )
  }

  private let key: GridKey

  init() throws { key = try GridKey(display: "DSI-1", screen: "menu", geometry: geometry()) }

  /// Touches are committed when they end, but not before a late name may come.
  @Test func `Touches that are committed one by one give the gestures of all of them together`()
    throws
  {
    for seed in 0..<UInt64(600) {
      var random = SeededGenerator(seed: seed)
      let all = contacts(&random)
      var expected = Numbers(
        repeating: [.times: [:], .observed: [:], .unanswered: [:]], count: 3)
      for device in ["a", "b"] {
        add(all.filter { $0.device == device }.map(\.contact), to: &expected)
      }
      for late in [0, 250, 5000] as [Int64] {
        var tally = GestureTally()
        let place = tally.place(of: key)
        let screen = try #require(place)
        for name in ["pay", "photo"] { _ = tally.place(ofControl: name, on: screen) }
        let order = all.shuffled(using: &random).map { touch in
          var touch = touch
          touch.committed = max(touch.contact.ended, touch.contact.began + late * 1000)
          return touch
        }.sorted { $0.committed < $1.committed }
        // A response may come some seconds after its touch.
        var waiting: [ObservedResponse] = []
        for touch in order {
          let oldest = touch.committed + -2_500_000
          while let first = waiting.first, first.hit.ended < oldest || Bool.random(using: &random) {
            tally.note(first)
            waiting.removeFirst()
          }
          let (contact, response) = split(touch.contact)
          tally.add(contact, on: screen, of: touch.device)
          waiting += [response].compactMap(\.self)
        }
        for response in waiting { tally.note(response) }
        #expect(numbers(tally) == expected, "seed \(seed), late \(late)")
      }
    }
  }

  /// The gestures of one person on two screens.
  private func person(
    _ seed: UInt64, checkpoint: Int64, _ body: (Kiosk) throws -> Void = { _ in }
  ) throws -> Kiosk {
    var kiosk = Kiosk(SessionRules(checkpoint: checkpoint))
    let panel = try HandPanel(width: 344, height: 194, pixels: 1920)
    let device = try panel.add(to: &kiosk)
    var hand = Hand(seed: seed, width: panel.width, height: panel.height)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let intent = try #require(Hand.Intent.allCases.randomElement(using: &random))
      try kiosk.show(Bool.random(using: &random) ? "menu" : "pay")
      kiosk.play(hand.make(intent), on: panel, device)
      kiosk.pass(hand.pause() / 4)
      try body(kiosk)
    }
    kiosk.stop()
    return kiosk
  }

  @Test func `Checkpoints have all that changed, and change nothing`() throws {
    let kind = GestureKind()
    for seed in 0..<UInt64(20) {
      var stored: [CountSubject: [Int64]] = [:]
      var (touches, read, compared): ([GridKey: UInt64], Int, Int) = ([:], 0, 0)
      let kiosk = try person(seed, checkpoint: 1_000_000) { kiosk in
        for record in kiosk.records[read...] {
          for view in record.changedViews { touches[view.key] = view.touches }
          for counts in record.changedCounts where counts.subject.kind == kind.name {
            stored[counts.subject] = counts.numbers
            let shape = try #require(kind.shape(of: counts.subject.key))
            #expect(shape.isPlausible(counts.numbers, 1))
            let view = try #require(shape.view)
            #expect(view.touches(counts.numbers) <= Int64(clamping: touches[view.key] ?? 0))
          }
        }
        read = kiosk.records.count
        // At a moment without changes that are not in a checkpoint yet, the store has everything.
        guard kiosk.recorder.sessions.last?.changedSince == nil else { return }
        compared += 1
        let all = kiosk.recorder.runningSession(withGrids: true, at: kiosk.now)?.changedCounts ?? []
        for counts in all where counts.subject.kind == kind.name {
          #expect(stored[counts.subject] == counts.numbers, "seed \(seed)")
        }
      }
      #expect(read > 20 && compared > 0 && stored.count == 2)
      let whole = try person(seed, checkpoint: 100_000_000_000)
      #expect(whole.records.count == 1)
      #expect(whole.finals.first?.gestures == kiosk.finals.first?.gestures)
    }
  }

  /// One hand makes gestures beside a mask, and other fingers may be in the mask.
  private func beside(
    _ intents: [Hand.Intent], seed: UInt64, masked: UInt64?, hasMask: Bool = true
  ) throws -> SessionRecord {
    var kiosk = Kiosk()
    let size = (width: 344.0, height: 194.0)
    let panel = try HandPanel(width: size.width, height: size.height, pixels: 1920)
    let device = try panel.add(to: &kiosk)
    if hasMask {
      try kiosk.mask(
        Mask(screen: "default", rectangle: Rectangle(x: 960, y: 0, width: 960, height: 1083)))
    }
    // Each hand has half of the glass, 10 mm from the middle.
    var hand = Hand(seed: seed, width: size.width / 2 - 10, height: size.height)
    var other = masked.map { Hand(seed: $0, width: size.width / 2 - 10, height: size.height) }
    var random = SeededGenerator(seed: masked ?? 0)
    for intent in intents {
      var reports = hand.make(intent).map { report in
        var report = report
        report.x = min(size.width / 2 - 2, report.x)
        return report
      }
      var typed: Int64 = 0
      while typed < 1500, other != nil {
        let intent = [Hand.Intent.tap, .doubleTap, .longPress, .pinch].randomElement(using: &random)
        let keys = other?.make(intent ?? .tap) ?? []
        let start = typed + .random(in: 0...200, using: &random)
        reports += keys.map { key in
          var key = key
          (key.time, key.finger) = (key.time + start, key.finger + 5)
          key.x = max(size.width / 2 + 2, key.x + size.width / 2 + 10)
          return key
        }
        typed = start + (keys.last?.time ?? 0) + 1
      }
      kiosk.play(reports.sorted { ($0.time, $0.finger) < ($1.time, $1.finger) }, on: panel, device)
      kiosk.pass(2500 - min(2400, reports.map(\.time).max() ?? 0))
      kiosk.tap(device, 100, 100)
      kiosk.pass(6000)
    }
    kiosk.stop()
    return try #require(kiosk.finals.last)
  }

  @Test func `Masked fingers beside a free hand change no gesture`() throws {
    var counts: GestureTimes = [:]
    for seed in 0..<UInt64(40) {
      var random = SeededGenerator(seed: seed)
      let intents = (0..<6).compactMap { _ in Hand.Intent.allCases.randomElement(using: &random) }
      let alone = try beside(intents, seed: seed, masked: nil)
      for masked in [seed + 1000, seed + 2000] {
        let record = try beside(intents, seed: seed, masked: masked)
        #expect(record.totals.masked > 0)
        #expect(record.changedCounts == alone.changedCounts, "seed \(seed), masked \(masked)")
      }
      let seen = try beside(intents, seed: seed, masked: seed + 1000, hasMask: false)
      #expect(seen.gestures != alone.gestures)
      counts.merge(alone.gestures, uniquingKeysWith: +)
    }
    #expect(counts.count > 8)
  }
}
