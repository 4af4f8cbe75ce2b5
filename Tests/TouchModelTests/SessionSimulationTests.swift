import TestSupport
import Testing

@testable import TouchModel

/// Days in the life of a kiosk, at random: devices come and go, fingers, palms, drops, names in time and
/// late, clients, pauses of any length, suspends. After every step the books balance; in the end they are
/// those of the naive model, to the block and the millisecond.
@Suite struct SessionSimulationTests {
  struct Setup: Sendable, CustomTestStringConvertible {
    var mode: SessionRules.Mode
    var setsWallClock: Bool
    var testDescription: String { "\(mode.rawValue), wall clock \(setsWallClock ? "set" : "left")" }
  }

  static let setups = [
    Setup(mode: .automatic, setsWallClock: false), Setup(mode: .automatic, setsWallClock: true),
    Setup(mode: .manual, setsWallClock: false),
  ]
  static let seeds: UInt64 = 40
  static let steps = 1500

  @Test(
    "Whatever happens, the books balance after every step and end as plain counting has them",
    arguments: setups)
  func booksBalance(setup: Setup) throws {
    var sessions = 0
    for seed in 0..<Self.seeds {
      var day = try Day(setup: setup, seed: seed)
      for _ in 0..<Self.steps { try day.step() }
      day.finish()
      day.compare(seed)
      sessions += day.naive.sessions.count
    }
    #expect(sessions > Int(Self.seeds) * 5)
  }

  private struct Day {
    static let rulesTemplate = SessionRules(
      idleTimeout: 5_000_000, maxDuration: 60_000_000, checkpoint: 2_000_000)

    let setup: Setup
    var random: SeededGenerator
    var kiosk: Kiosk
    var naive: NaiveBooks
    var placements: [Placement] = []
    /// Devices that are there, with their fingers: slot to naive touch.
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

    mutating func below(_ limit: Int) -> Int { Int(random.next() >> 33) % limit }

    mutating func step() throws {
      switch below(100) {
      case 0..<22: try land()
      case 22..<40: lift()
      case 40..<52: move()
      case 52..<56: plug()
      case 56..<58: unplug()
      case 58..<66: name()
      case 66..<67:
        if let device = devices.keys.sorted().first {
          kiosk.recorder.noteDrop(device, at: kiosk.now)
          if let current = naive.current { naive.sessions[current].drops += 1 }
        }
      case 67..<69: client()
      case 69..<70:
        kiosk.suspend(Int64(1 + below(200_000)))
        // What comes first after waking is anybody's guess.
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

    mutating func pass(_ milliseconds: Int64) {
      // The same steps as `Kiosk.pass`, so that both are told of the same moments.
      let target = kiosk.now.boottime + milliseconds * 1000
      while let deadline = kiosk.recorder.nextDeadline, deadline <= target {
        let wait = max(0, deadline - kiosk.now.boottime)
        shift(wait)
      }
      shift(target - kiosk.now.boottime)
    }

    private mutating func shift(_ microseconds: Int64) {
      kiosk.now.monotonic = kiosk.now.monotonic + microseconds
      kiosk.now.boottime = kiosk.now.boottime + microseconds
      part += microseconds
      kiosk.now.wall.milliseconds += part / 1000
      part %= 1000
      naive.advance(kiosk.now)
      kiosk.advance()
    }
    private var part: Int64 = 0

    mutating func land() throws {
      guard let device = devices.keys.sorted().dropFirst(below(max(1, devices.count))).first else {
        return plug()
      }
      let slot = below(5)
      guard let placement = devices[device]?.placement, devices[device]?.down[slot] == nil else {
        return
      }
      let (x, y) = (Int32(below(4096)), Int32(below(4096)))
      let isPalm = below(12) == 0
      let isPreexisting = below(20) == 0
      var touch = NaiveBooks.Touch(
        began: kiosk.now.monotonic, display: placement.display,
        block: placement.geometry.index(of: placement.block(x, y)))
      touch.isPalm = isPalm
      touch.isPreexisting = isPreexisting
      let index = naive.begin(touch, at: kiosk.now)
      kiosk.land(device, slot, x, y, isPalm: isPalm, preexisting: isPreexisting)
      if isPalm {
        naive.end(index, cancellation: .palm, at: kiosk.now)
      } else {
        devices[device]?.down[slot] = index
      }
    }

    mutating func lift() {
      guard let device = devices.keys.sorted().dropFirst(below(max(1, devices.count))).first,
        let slot = devices[device]?.down.keys.sorted().first,
        let index = devices[device]?.down.removeValue(forKey: slot)
      else { return }
      let cancellation: Cancellation? = [nil, nil, nil, nil, .palm, .lost][below(6)]
      naive.end(index, cancellation: cancellation, at: kiosk.now)
      kiosk.finish(device, slot, cancellation == nil ? .ended : .cancelled, cancellation)
    }

    mutating func move() {
      for (device, state) in devices {
        for slot in state.down.keys.sorted() {
          kiosk.move(device, slot, Int32(below(4096)), Int32(below(4096)))
        }
      }
    }

    mutating func plug() {
      guard devices.count < 4 else { return }
      let placement = placements[below(2)]
      let device = kiosk.recorder.addDevice(
        key: "test", slots: 5, isVirtual: false, placement: placement, at: kiosk.now)
      devices[device] = (placement, [:])
    }

    mutating func unplug() {
      guard let device = devices.keys.sorted().dropFirst(below(max(1, devices.count))).first else {
        return
      }
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
        #expect(ago <= 250)
        naive.names.append((kiosk.now.monotonic + -ago * 1000, name))
      } catch {
        #expect(error == .tooLate(microseconds: ago * 1000) && ago > 250)
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
        // Nothing comes after the end.
        #expect(kiosk.records.last { $0.id == session.id }?.end != nil)
        #expect(kiosk.records.filter { $0.id == session.id && $0.end != nil }.count == 1)
        compareGrids(session.id, seed)
      }
      let begun = finals.reduce(0) { $0 + $1.totals.begun }
      #expect(begun + UInt64(naive.unrecorded) == UInt64(naive.touches.count))
    }

    private struct Place: Hashable {
      var display: String
      var screen: String
      var block: Int
    }

    private func compareGrids(_ session: Int64, _ seed: UInt64) {
      var expected: [Place: UInt64] = [:]
      var milliseconds: UInt64 = 0
      for touch in naive.touches where touch.session == session && touch.isCounted {
        expected[
          Place(display: touch.display, screen: touch.screen, block: touch.block), default: 0] += 1
        if let end = touch.ended { milliseconds += UInt64((end.monotonic - touch.began) / 1000) }
      }
      var actual: [Place: UInt64] = [:]
      var dwell: UInt64 = 0
      var touches: UInt64 = 0
      for (key, layers) in kiosk.grids[session] ?? [:] {
        guard let taps = layers[.taps], let trail = layers[.trail] else { continue }
        for block in 0..<taps.count where taps[block] > 0 {
          actual[Place(display: key.display, screen: key.screen, block: block)] = taps[block]
        }
        #expect(trail.sum >= taps.sum)
        dwell += layers[.dwell]?.sum ?? 0
        touches += kiosk.views[session]?[key]?.touches ?? 0
      }
      #expect(actual == expected, "seed \(seed), session \(session)")
      #expect(dwell == milliseconds, "seed \(seed), session \(session)")
      #expect(touches == expected.values.reduce(0, +))
    }
  }
}
