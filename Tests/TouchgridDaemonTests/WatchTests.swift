import Foundation
import LinuxIO
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

/// Live touches, masks and pauses, by the built daemon on its socket.
@Suite struct WatchTests {
  private func frames(_ client: inout TouchgridClient, for seconds: Int) throws
    -> [API.WatchTouches.Reply]
  {
    var frames: [API.WatchTouches.Reply] = []
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      let next = try client.receive(API.WatchTouches.self, within: end - .now)
      if let next { frames.append(next.reply) }
    }
    return frames
  }

  @Test("Every touch is seen from landing to lift, as one, with where it was before")
  func lives() throws {
    let daemon = try RunningDaemon(playing: taps(3000, every: 50_000))
    var client = try daemon.client()
    try client.start(API.WatchTouches())
    let frames = try frames(&client, for: 3)
    #expect(frames.first?.displays?.first?.screen == "default")
    let lives = Dictionary(grouping: frames.flatMap(\.touches), by: \.id)
    // The first may have begun before, the last may go on.
    let whole = lives.values.filter { $0.first?.phase == .began && $0.last?.phase == .ended }
    #expect(whole.count >= 5 && whole.count >= lives.count - 2)
    for life in whole {
      #expect(life.dropFirst().dropLast().allSatisfy { [.moved, .stationary].contains($0.phase) })
      for (before, after) in zip(life, life.dropFirst()) { #expect(after.previous == before.point) }
    }
    #expect(frames.map(\.atUs) == frames.map(\.atUs).sorted())
  }

  @Test("Watching needs \"more\"")
  func expectedMore() throws {
    let daemon = try RunningDaemon()
    var client = try daemon.client()
    do throws(ClientError) {
      _ = try client.call(API.WatchTouches())
      Issue.record("no error")
    } catch {
      guard case .remote(let error) = error else { throw error }
      #expect(error.name == "org.varlink.service.ExpectedMore")
    }
  }

  @Test("A screen that is named, and a display that is turned, are told to those who watch")
  func layout() throws {
    let daemon = try RunningDaemon(playing: taps(2, every: 60_000_000))
    var watcher = try daemon.client()
    var app = try daemon.client()
    try watcher.start(API.WatchTouches())
    _ = try watcher.receive(API.WatchTouches.self, within: .seconds(20))
    _ = try app.call(API.SetScreen(name: "pay"))
    let named = try watcher.receive(API.WatchTouches.self, within: .seconds(20))
    #expect(named?.reply.displays?.first?.screen == "pay")
    let name = try #require(named?.reply.displays?.first?.name)
    _ = try app.call(API.SetDisplay(name: name, rotation: 180))
    let turned = try watcher.receive(API.WatchTouches.self, within: .seconds(20))
    #expect(turned?.reply.displays?.first?.geometry.rotation == 180)
  }

  @Test("The last of many names that are sent at once is told, though nobody touches")
  func manyNames() throws {
    let daemon = try RunningDaemon(playing: taps(2, every: 60_000_000))
    var watcher = try daemon.client()
    try watcher.start(API.WatchTouches())
    _ = try watcher.receive(API.WatchTouches.self, within: .seconds(20))
    let apps = try (0..<20).map { number in
      let app = Process()
      app.executableURL = try program("touchgrid")
      app.arguments = ["screen", "screen \(number)", "--socket", daemon.socket]
      try app.run()
      return app
    }
    apps.forEach { $0.waitUntilExit() }
    var app = try daemon.client()
    let showing = try app.call(API.GetScreen()).screen
    var told: String?
    while told != showing {
      let next = try watcher.receive(API.WatchTouches.self, within: .seconds(5))
      guard let next else { break }
      told = next.reply.displays?.first?.screen ?? told
    }
    #expect(told == showing)
  }

  @Test("Masks of a new configuration hold, however many clients have added")
  func masksAfterReload() throws {
    let daemon = try RunningDaemon(playing: nil)
    var app = try daemon.client()
    for number in 0..<256 {
      _ = try app.call(API.AddMask(mask: API.Mask(screen: "added \(number)")))
    }
    expect(API.LimitReached.self) { () throws(ClientError) in
      _ = try app.call(API.AddMask(mask: API.Mask(screen: "one too many")))
    }
    let masks = (0..<256).map { "[[mask]]\nscreen = \"configured \($0)\"\n" }.joined()
    try daemon.write(masks)
    daemon.signal(SIGHUP)
    try daemon.waitForLog("the configuration was read again")
    let held = try app.call(API.GetMasks())
    #expect(held.configured.count == 256 && held.added.count == 256)
    #expect(!daemon.log.contains("too many masks"))
  }

  @Test("No masked touch is shown or placed, whoever masked it: the file or a client")
  func masks() throws {
    let daemon = try RunningDaemon(
      "[[mask]]\nscreen = \"pin\"\n", playing: taps(3000, every: 50_000))
    var watcher = try daemon.client()
    var app = try daemon.client()
    _ = try app.call(API.SetScreen(name: "pin"))
    // What began on the screen before may still be on its way.
    usleep(600_000)
    try watcher.start(API.WatchTouches())
    #expect(try frames(&watcher, for: 2).allSatisfy { $0.touches.isEmpty })
    let masked = try #require(try app.call(API.GetStatus()).session).totals.masked
    #expect(masked >= 5)

    _ = try app.call(API.AddMask(mask: API.Mask(screen: "keypad")))
    _ = try app.call(API.SetScreen(name: "keypad"))
    #expect(try frames(&watcher, for: 2).allSatisfy { $0.touches.isEmpty })
    _ = try app.call(API.SetScreen(name: "menu"))
    #expect(try frames(&watcher, for: 2).contains { !$0.touches.isEmpty })

    try daemon.stop()
    let store = try Store(reading: daemon.store)
    for screen in ["pin", "keypad"] {
      for layer in Layer.allCases {
        let grids = try store.summaries(screen: screen, layer: layer, in: .always)
        #expect(grids.allSatisfy { $0.touches == 0 && $0.sum.sum == 0 })
      }
    }
    let totals = try #require(try store.sessions(in: .always).first).record.totals
    #expect(totals.balances && totals.masked > UInt64(masked))
  }

  @Test("A pause holds for as long as its client, however that goes")
  func pauses() throws {
    let daemon = try RunningDaemon(playing: taps(3000, every: 50_000))
    var status = try daemon.client()
    func pauseIsOver() throws -> Bool {
      try within(seconds: 20) { try status.call(API.GetStatus()).pauses == 0 }
    }
    do {
      var app = try daemon.client()
      #expect(try app.call(API.Pause()).isPaused)
      #expect(try status.call(API.GetStatus()).pauses == 1)
      usleep(400_000)
      let before = try status.call(API.GetStatus())
      usleep(600_000)
      let after = try status.call(API.GetStatus())
      #expect(after.session?.totals.begun == before.session?.totals.begun)
      #expect(after.tally.unrecorded > before.tally.unrecorded)
    }
    #expect(try pauseIsOver())

    var app = try daemon.client()
    _ = try app.call(API.Pause(durationMs: 200))
    #expect(try pauseIsOver())

    try app.start(API.Pause())
    #expect(try app.receive(API.Pause.self, within: .seconds(20))?.reply.isPaused == true)
    // Somebody else's resumption is his own, unless he means all.
    _ = try status.call(API.Resume())
    #expect(try status.call(API.GetStatus()).pauses == 1)
    _ = try status.call(API.Resume(all: true))
    #expect(try app.receive(API.Pause.self, within: .seconds(20))?.reply.isPaused == false)
    let begun = try status.call(API.GetStatus()).session?.totals.begun ?? 0
    #expect(
      try within(seconds: 20) {
        try status.call(API.GetStatus()).session?.totals.begun ?? 0 > begun
      })
  }
}
