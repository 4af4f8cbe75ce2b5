import TestSupport
import Testing

@testable import TouchModel

/// Simulates days of a kiosk at random: devices, fingers, palms, dropped events, names in time and
/// late, clients, waits, suspends, masks, covers, touches that a client keeps from the app, pauses,
/// new rules, and rotations. The totals must add up
/// after every step. In the end they must equal those of the naive model, and each screen must have
/// the same taps in each block, the same trails and the same milliseconds of contact.
@Suite struct SessionSimulationTests {
  struct Setup: Sendable, CustomTestStringConvertible {
    var mode: SessionRules.Mode
    var setsWallClock = false
    /// Whether masks, pauses, rules and placements change.
    var changes = false
    var testDescription: String {
      "\(mode.rawValue), wall clock \(setsWallClock ? "set" : "left")"
        + (changes ? ", with masks, pauses, new rules and placements" : "")
    }
  }

  static let setups = [
    Setup(mode: .automatic), Setup(mode: .automatic, setsWallClock: true), Setup(mode: .manual),
    Setup(mode: .automatic, changes: true), Setup(mode: .manual, changes: true),
  ]
  static let seeds: UInt64 = 30
  static let steps = 1500

  @Test(arguments: setups)
  func `Totals add up after every step and equal those of the naive model`(setup: Setup) throws {
    var sessions = 0
    var (masked, swallowed) = (0, 0)
    for seed in 0..<Self.seeds {
      var day = try Day(setup: setup, seed: seed)
      day.watch()
      for _ in 0..<Self.steps {
        try day.step()
        day.look()
      }
      day.finish()
      day.look()
      day.compare(seed)
      sessions += day.naive.sessions.count
      masked += day.naive.touches.count { $0.isMasked && $0.session != nil }
      swallowed += day.naive.sessions.reduce(0) { $0 + Int($1.totalsAtClose.swallowed) }
    }
    #expect(sessions > Int(Self.seeds) * 5)
    #expect(min(masked, swallowed) > Int(Self.seeds) * 10 || !setup.changes)
  }

  private struct Day {
    static let rulesTemplate = SessionRules(
      idleTimeout: 5_000_000, maxDuration: 60_000_000, checkpoint: 2_000_000)

    let setup: Setup
    var random: SeededGenerator
    var kiosk: Kiosk
    var naive: NaiveBooks
    var placements: [Placement] = []
    /// The attached devices. `down` has the index of each finger's touch in the naive model, by
    /// slot.
    var devices: [Int: (placement: Placement, down: [Int: Int])] = [:]

    init(setup: Setup, seed: UInt64) throws {
      self.setup = setup
      random = SeededGenerator(seed: seed)
      var rules = Self.rulesTemplate
      rules.mode = setup.mode
      kiosk = Kiosk(rules)
      naive = NaiveBooks(rules: rules)
      for display in ["DSI-1", "HDMI-1"] {
        placements.append(
          try #require(Placement.test(display: display, width: 320, height: 240)))
      }
    }

    // MARK: Watching

    var watcher = NaiveWatcher()

    mutating func watch() { watcher.begin(kiosk.watch(), naive) }

    mutating func look() {
      for frame in kiosk.look() { watcher.see(frame, naive) }
      watcher.check(kiosk.feed?.state ?? [])
      if setup.changes, below(200) == 0 { watch() }
    }

    mutating func below(_ limit: Int) -> Int { Int(random.next() >> 33) % limit }

    mutating func step() throws {
      if setup.changes, below(12) == 0 { try change() }
      switch below(100) {
      case 0..<22: try land()
      case 22..<40: lift()
      case 40..<52: move()
      case 52..<56: plug()
      case 56..<58: unplug()
      case 58..<66: name()
      case 66..<67:
        if let device = devices.keys.sorted().first {
          kiosk.recorder.recordLoss(device, at: kiosk.now)
          if let current = naive.current { naive.sessions[current].drops += 1 }
        }
      case 67..<69: client()
      case 69..<70:
        kiosk.suspend(Int64(1 + below(200_000)))
        // After a wake-up it is random whether timers or events come first.
        if below(2) == 0 {
          naive.advance(kiosk.now)
          kiosk.advance()
        }
      case 70..<71 where setup.setsWallClock:
        kiosk.setWallClock(by: Int64(below(2_000_000)) - 1_000_000)
      case 71..<85: pass(Int64(1 + below(30)))
      case 85..<95: pass(Int64(30 + below(500)))
      case 95..<99: pass(Int64(below(4000)))
      default: pass(Int64(below(30_000)))
      }
    }

    /// Lets time pass. Both models see the same moments.
    mutating func pass(_ milliseconds: Int64) {
      var other = NaiveBooks(rules: naive.rules)
      swap(&other, &naive)
      kiosk.pass(milliseconds) { other.advance($0) }
      swap(&other, &naive)
    }

    mutating func anyDevice() -> Int? {
      devices.keys.sorted().dropFirst(below(max(1, devices.count))).first
    }

    mutating func land() throws {
      guard let device = anyDevice() else { return plug() }
      let slot = below(5)
      guard let placement = devices[device]?.placement, devices[device]?.down[slot] == nil else {
        return
      }
      let (x, y) = (Int32(below(4096)), Int32(below(4096)))
      let isPalm = below(12) == 0
      let isPreexisting = below(20) == 0
      var touch = NaiveBooks.Touch(began: kiosk.now.monotonic, placement: placement)
      touch.isPalm = isPalm
      touch.isPreexisting = isPreexisting
      let index = naive.begin(touch, x: x, y: y, at: kiosk.now)
      kiosk.down(device, slot, x, y, isPalm: isPalm, preexisting: isPreexisting)
      if isPalm {
        naive.end(index, cancellation: .palm, at: kiosk.now)
      } else {
        devices[device]?.down[slot] = index
      }
    }

    mutating func lift() {
      guard let device = anyDevice(),
        let slot = devices[device]?.down.keys.sorted().first,
        let index = devices[device]?.down.removeValue(forKey: slot)
      else { return }
      let cancellation: Cancellation? = [nil, nil, nil, nil, .palm, .lost][below(6)]
      naive.end(index, cancellation: cancellation, at: kiosk.now)
      kiosk.up(device, slot, cancellation == nil ? .ended : .cancelled, cancellation)
    }

    mutating func move() {
      for (device, state) in devices.sorted(by: { $0.key < $1.key }) {
        for slot in state.down.keys.sorted() {
          let (x, y) = (Int32(below(4096)), Int32(below(4096)))
          if let index = state.down[slot] { naive.move(index, x: x, y: y) }
          kiosk.move(device, slot, x, y)
        }
      }
    }

    mutating func plug() {
      guard devices.count < 4 else { return }
      let placement = placements[below(2)]
      let device = kiosk.recorder.addDevice(
        key: "test", slots: 5, isVirtual: false, placement: placement, at: kiosk.now)
      devices[device] = (placement, [:])
      lay(placement)
    }

    /// Gives all devices on a display its geometry.
    mutating func lay(_ placement: Placement) {
      for device in devices.keys where devices[device]?.placement.display == placement.display {
        devices[device]?.placement.geometry = placement.geometry
        devices[device]?.placement.geometrySource = placement.geometrySource
      }
      for (device, state) in devices {
        #expect(kiosk.recorder.placement(of: device) == state.placement)
      }
    }

    mutating func change() throws {
      switch below(16) {
      case 12..<14: cover()
      case 14..<16: swallow()
      case 0..<4: try mask()
      case 4 where !naive.masks.isEmpty:
        naive.setMasks([])
        naive.confirmMasked(at: kiosk.now)
        kiosk.recorder.setMasks(Masks(), at: kiosk.now)
        kiosk.check()
      case 5:
        naive.pause(kiosk.now)
        kiosk.pause()
      case 6..<8:
        naive.resume()
        kiosk.resume()
      case 8..<10: reload()
      default: try turn()
      }
    }

    mutating func mask() throws {
      var masks = naive.masks
      if below(3) == 0, let gone = masks.sorted(by: { $0.screen < $1.screen }).first {
        masks.remove(gone)
      }
      while masks.count < 1 + below(5) {
        let rectangle = Rectangle(
          x: Double(below(300)) + 0.03, y: Double(below(220)) + 0.03, width: Double(1 + below(90)),
          height: Double(1 + below(90)))
        masks.insert(
          Mask(
            screen: ["menu", "checkout/pay", "game", "end", "default"][below(5)],
            display: [nil, "DSI-1", "HDMI-1"][below(3)], rectangle: below(4) == 0 ? nil : rectangle)
        )
      }
      guard masks != naive.masks else { return }
      naive.setMasks(masks)
      naive.confirmMasked(at: kiosk.now)
      kiosk.recorder.setMasks(try #require(Masks(masks)), at: kiosk.now)
      kiosk.check()
    }

    mutating func cover() {
      let areas = (0..<below(4)).compactMap { _ in
        Rectangle(
          x: Double(below(300)) + 0.07, y: Double(below(220)) + 0.07, width: Double(1 + below(150)),
          height: Double(1 + below(150)))
      }
      naive.covers = areas.map { Cover(display: [nil, "DSI-1"][below(2)], rectangle: $0) }
      kiosk.recorder.covers = naive.covers
    }

    /// Begins a span in which a client takes touches, or ends it.
    mutating func swallow() {
      let ago = kiosk.now.monotonic + -Int64(below(300_000))
      if var span = naive.spans.last, span.until == nil {
        span.until = max(span.from, ago)
        naive.swallow(span, at: kiosk.now)
        kiosk.swallow(span)
      } else if ago > naive.spans.last?.until ?? .zero {
        let span = SwallowedSpan(
          client: ClientID(1), display: [nil, "HDMI-1"][below(2)], from: ago, isUse: below(2) == 0)
        naive.swallow(span, at: kiosk.now)
        kiosk.swallow(span)
      }
    }

    mutating func reload() {
      var rules = naive.rules
      rules.lateNames = [0, 100_000, 250_000, 1_000_000][below(4)]
      rules.idleTimeout = [2_000_000, 5_000_000, 20_000_000][below(3)]
      rules.maxDuration = [30_000_000, 60_000_000][below(2)]
      rules.checkpoint = [1_000_000, 2_000_000, 7_000_000][below(3)]
      if below(4) == 0 { rules.mode = rules.mode == .manual ? .automatic : .manual }
      naive.setRules(rules, at: kiosk.now)
      kiosk.recorder.setRules(rules, at: kiosk.now)
      kiosk.check()
    }

    mutating func turn() throws {
      guard let device = anyDevice(),
        let former = devices[device]?.placement
      else { return }
      var placement = try #require(
        Placement.test(
          display: ["DSI-1", "HDMI-1", "DSI-2"][below(3)], width: 320, height: 240,
          rotation: Rotation.allCases[below(4)]))
      if below(2) == 0 { placement.display = former.display }
      if below(2) == 0 { placement.geometrySource = .client }
      kiosk.recorder.setPlacement(placement, of: device, at: kiosk.now)
      devices[device]?.placement = placement
      lay(placement)
      kiosk.check()
    }

    mutating func unplug() {
      guard let device = anyDevice() else { return }
      for index in devices[device]?.down.values.sorted() ?? [] {
        naive.end(index, cancellation: .removed, at: kiosk.now)
      }
      devices[device] = nil
      kiosk.remove(device)
    }

    mutating func name() {
      let name = ["menu", "checkout/pay", "game", "end"][below(4)]
      let ago = below(3) == 0 ? Int64(below(300)) : 0
      do throws(SessionRecorder.ScreenError) {
        try kiosk.recorder.setScreen(
          name, changed: kiosk.now.monotonic + -ago * 1000, at: kiosk.now)
        #expect(ago * 1000 <= naive.rules.lateNames)
        naive.names.append((kiosk.now.monotonic + -ago * 1000, name))
        naive.confirmMasked(at: kiosk.now)
      } catch {
        #expect(error == .tooLate(microseconds: ago * 1000) && ago * 1000 > naive.rules.lateNames)
        let asked = kiosk.now.monotonic + -ago * 1000
        if naive.masks.contains(where: { $0.screen == name }),
          !naive.names.contains(where: { $0.time > asked })
        {
          naive.names.append((kiosk.now.monotonic + -naive.rules.lateNames, name))
          naive.confirmMasked(at: kiosk.now)
        }
      }
    }

    mutating func client() {
      if below(2) == 0 {
        naive.end(.client, at: kiosk.now)
        naive.open(kiosk.now)
        let id = kiosk.beginSession()
        #expect(id == naive.sessions.last?.id)
      } else {
        naive.end(.client, at: kiosk.now)
        kiosk.endSession()
      }
    }

    mutating func finish() {
      for device in devices.keys.sorted() {
        for index in devices[device]?.down.values.sorted() ?? [] {
          naive.end(index, cancellation: .removed, at: kiosk.now)
        }
      }
      naive.stop(kiosk.now)
      kiosk.stop()
      // Wait until live touches that late names could still change are shown.
      pass(2000)
    }

    func compare(_ seed: UInt64) {
      let finals = kiosk.finals
      #expect(finals.map(\.id).sorted() == naive.sessions.map(\.id), "seed \(seed)")
      #expect(kiosk.recorder.nextDeadline == nil)
      for session in naive.sessions {
        guard let record = finals.first(where: { $0.id == session.id }) else { continue }
        var totals = record.totals
        totals.clamped = 0
        #expect(totals == session.totalsAtClose, "seed \(seed), session \(session.id)")
        #expect(record.end == session.end?.reason, "seed \(seed), session \(session.id)")
        #expect(record.began == session.began.wall)
        #expect(record.lastActive >= record.began)
        if !setup.setsWallClock, let end = session.end {
          let expected = session.began.wall.milliseconds + (end.at - session.began.boottime) / 1000
          #expect(
            abs(record.lastActive.milliseconds - expected) <= 1,
            "seed \(seed), session \(session.id)")
        }
        // No record follows the end of the session.
        #expect(kiosk.records.last { $0.id == session.id }?.end != nil)
        #expect(kiosk.records.filter { $0.id == session.id && $0.end != nil }.count == 1)
        compareGrids(session.id, seed)
      }
      if !setup.changes {
        #expect(watcher.begun == naive.touches.count && watcher.over.count == watcher.begun)
      }
      #expect(watcher.down.isEmpty)
      let begun = finals.reduce(0) { $0 + $1.totals.begun }
      #expect(begun + UInt64(naive.unrecorded) == UInt64(naive.touches.count))
      #expect(kiosk.recorder.tally.touches == UInt64(naive.touches.count))
      #expect(kiosk.recorder.tally.unrecorded == UInt64(naive.unrecorded))
    }

    /// What the touches of a session leave on one screen of a display.
    private struct Sums: Equatable {
      var taps: [Int: UInt64] = [:]
      var trail: UInt64 = 0
      var dwell: UInt64 = 0
      var touches: UInt64 = 0

      /// Adds a touch of the naive model.
      mutating func add(_ touch: NaiveBooks.Touch) {
        let geometry = touch.placement.geometry
        taps[geometry.index(of: geometry.block(at: touch.points[0])), default: 0] += 1
        touches += 1
        trail += 1
        for (from, to) in zip(touch.points, touch.points.dropFirst()) {
          geometry.walk(
            from: from, in: geometry.block(at: from), to: to, in: geometry.block(at: to)
          ) { _ in trail += 1 }
        }
        if let end = touch.ended { dwell += UInt64((end.monotonic - touch.began) / 1000) }
      }
    }

    private func compareGrids(_ session: Int64, _ seed: UInt64) {
      var expected: [GridKey: Sums] = [:]
      for touch in naive.touches where touch.session == session && touch.isCounted {
        let key = GridKey(
          display: touch.placement.display, screen: touch.screen,
          geometry: touch.placement.geometry)
        expected[key, default: Sums()].add(touch)
      }
      var actual: [GridKey: Sums] = [:]
      for (key, layers) in kiosk.grids[session] ?? [:] {
        guard let taps = layers[.taps], !taps.isZero else { continue }
        for block in 0..<taps.count where taps[block] > 0 {
          actual[key, default: Sums()].taps[block] = taps[block]
        }
        actual[key]?.trail = layers[.trail]?.sum ?? 0
        actual[key]?.dwell = layers[.dwell]?.sum ?? 0
        actual[key]?.touches = kiosk.views[session]?[key]?.touches ?? 0
      }
      #expect(actual == expected, "seed \(seed), session \(session)")
    }
  }
}
