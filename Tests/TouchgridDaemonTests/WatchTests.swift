import Foundation
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@Suite struct WatchTests {
  /// Lets time pass and returns the replies that came.
  private func frames(
    _ client: inout TouchgridClient, of daemon: RunningDaemon, for seconds: Double
  ) throws -> [API.WatchTouches.Reply] {
    try daemon.pass(seconds: seconds)
    var frames: [API.WatchTouches.Reply] = []
    while let next = try client.receive(API.WatchTouches.self, within: .zero) {
      frames.append(next.reply)
    }
    return frames
  }

  /// Returns the first reply with displays or masks within a second.
  private func news(
    _ client: inout TouchgridClient, of daemon: RunningDaemon
  ) throws -> API.WatchTouches.Reply? {
    try frames(&client, of: daemon, for: 1).first { $0.displays != nil || $0.masks != nil }
  }

  @Test func `Every touch is shown from its touch-down to its touch-up`() throws {
    let daemon = try RunningDaemon(playing: taps(3000, every: 50_000))
    var client = try daemon.client()
    try client.start(API.WatchTouches())
    let frames = try frames(&client, of: daemon, for: 3)
    #expect(frames.first?.displays?.first?.screen == "default")
    let lives = Dictionary(grouping: frames.flatMap(\.touches), by: \.id)
    // The first touch may have begun before the first frame, and the last may not have ended.
    let whole = lives.values.filter { $0.first?.phase == .began && $0.last?.phase == .ended }
    #expect(whole.count >= 5 && whole.count >= lives.count - 2)
    for life in whole {
      #expect(life.dropFirst().dropLast().allSatisfy { [.moved, .stationary].contains($0.phase) })
      for (before, after) in zip(life, life.dropFirst()) { #expect(after.previous == before.point) }
    }
    #expect(frames.map(\.atUs) == frames.map(\.atUs).sorted())
  }

  @Test func `Watching clients get new names of screens and rotations of displays`() throws {
    let daemon = try RunningDaemon(playing: taps(2, every: 60_000_000))
    var watcher = try daemon.client()
    var app = try daemon.client()
    try watcher.start(API.WatchTouches())
    _ = try frames(&watcher, of: daemon, for: 1)
    _ = try app.call(API.SetScreen(name: "pay"))
    let named = try news(&watcher, of: daemon)
    #expect(named?.displays?.first?.screen == "pay")
    let name = try #require(named?.displays?.first?.name)
    _ = try app.call(API.SetDisplay(name: name, rotation: 180))
    #expect(try news(&watcher, of: daemon)?.displays?.first?.geometry.rotation == 180)
  }

  @Test func `Watching clients get all masks at first and after each change`() throws {
    let daemon = try RunningDaemon(
      Keypad.display + "[[mask]]\nscreen = \"pin\"\n", playing: taps(2, every: 60_000_000))
    var watcher = try daemon.client()
    var app = try daemon.client()
    try watcher.start(API.WatchTouches())
    func news() throws -> API.WatchTouches.Reply? { try self.news(&watcher, of: daemon) }
    func screens(_ reply: API.WatchTouches.Reply?) -> [String]? { reply?.masks?.map(\.screen) }
    #expect(screens(try news()) == ["pin"])

    let keypad = API.Mask(
      screen: "keypad", rectangle: API.Rectangle(x: 1, y: 2, width: 30, height: 40.5))
    _ = try app.call(API.AddMask(mask: keypad))
    let added = try news()
    #expect(screens(added) == ["pin", "keypad"] && added?.masks?.last == keypad)
    #expect(added?.touches.isEmpty == true && added?.displays == nil)
    // Adding the same mask again changes nothing, so the next reply has the new name and no masks.
    _ = try app.call(API.AddMask(mask: keypad))
    _ = try app.call(API.SetScreen(name: "menu"))
    let named = try news()
    #expect(named?.displays?.first?.screen == "menu" && named?.masks == nil)

    _ = try app.call(API.RemoveMask(mask: keypad))
    #expect(screens(try news()) == ["pin"])
  }

  @Test func `Watching clients get the masks of a new configuration`() throws {
    let daemon = try RunningDaemon("[[mask]]\nscreen = \"pin\"\n")
    var watcher = try daemon.client()
    try watcher.start(API.WatchTouches())
    func masks(_ client: inout TouchgridClient) throws -> [String]? {
      var found: [String]?
      _ = try within(seconds: 20) {
        found = try frames(&client, of: daemon, for: 0.1).lazy.compactMap(\.masks).first?
          .map(\.screen)
        return found != nil
      }
      return found
    }
    #expect(try masks(&watcher) == ["pin"])
    for screens in [["pay", "keypad"], ["pay"], []] {
      try daemon.write(screens.map { "[[mask]]\nscreen = \"\($0)\"\n" }.joined())
      daemon.signal(SIGHUP)
      #expect(try masks(&watcher) == screens)
      var late = try daemon.client()
      try late.start(API.WatchTouches())
      #expect(try masks(&late) == screens)
    }
  }

  @Test func `Clients that watch covers get those of each display, and each change`() throws {
    let cover = "[[cover]]\nx = 1\ny = 2\nwidth = 3\nheight = 4\n"
    let daemon = try RunningDaemon(
      Keypad.display + cover + cover + "display = 'other'\n",
      playing: taps(2, every: 60_000_000))
    var client = try daemon.client()
    try client.start(API.WatchCovers())
    func next() throws -> [API.CoveredDisplay]? {
      try daemon.pass(seconds: 1)
      return try client.receive(API.WatchCovers.self, within: .zero)?.reply.displays
    }
    let area = API.Rectangle(x: 1, y: 2, width: 3, height: 4)
    #expect(
      try next() == [
        API.CoveredDisplay(name: "glass", width: 1024, height: 768, covers: [area])
      ])
    var app = try daemon.client()
    _ = try app.call(API.SetScreen(name: "menu"))
    #expect(try next() == nil)
    _ = try app.call(API.SetDisplay(name: "glass", scale: 2))
    #expect(
      try next() == [API.CoveredDisplay(name: "glass", width: 512, height: 384, covers: [area])])
  }

  @Test func `The guard is suspended as long as a client wants it`() throws {
    let daemon = try RunningDaemon(Keypad.display, playing: taps(2, every: 60_000_000))
    var client = try daemon.client()
    try client.start(API.WatchCovers())
    func next() throws -> Bool? {
      try daemon.pass(seconds: 1)
      return try client.receive(API.WatchCovers.self, within: .zero)?.reply.isGuardSuspended
    }
    #expect(try next() == false)
    var first = try daemon.client()
    var second = try daemon.client()
    try first.start(API.SuspendGuard())
    #expect(try next() == true)
    try second.start(API.SuspendGuard())
    first = try daemon.client()
    #expect(try next() == nil)
    second = try daemon.client()
    #expect(try next() == false)
  }

  @Test func `A new mask is sent before any later frame of touches`() throws {
    let daemon = try RunningDaemon(playing: taps(3000, every: 20_000))
    var watcher = try daemon.client()
    var app = try daemon.client()
    try watcher.start(API.WatchTouches())
    #expect(try frames(&watcher, of: daemon, for: 1).contains { !$0.touches.isEmpty })
    for number in 0..<20 {
      _ = try app.call(API.AddMask(mask: API.Mask(screen: "default")))
      _ = try app.call(API.RemoveMask(mask: API.Mask(screen: "default")))
      try daemon.pass(seconds: Double(number) * 0.005)
    }
    var isMasked = false
    var changes = 0
    for reply in try frames(&watcher, of: daemon, for: 1) {
      if let masks = reply.masks {
        // A reply with masks has no touches.
        #expect(masks.count <= 1 && reply.touches.isEmpty)
        isMasked = !masks.isEmpty
        changes += 1
      }
      // While the screen is masked, only cancellations are sent, for the touches that became
      // masked.
      if isMasked { #expect(reply.touches.allSatisfy { $0.phase == .cancelled }) }
    }
    #expect(changes >= 2 && !isMasked)
  }

  @Test func `Masks of a new configuration apply, however many clients have added`() throws {
    let daemon = try RunningDaemon(playing: nil)
    var app = try daemon.client()
    for number in 0..<256 {
      _ = try app.call(API.AddMask(mask: API.Mask(screen: "added \(number)")))
    }
    app.fails(API.LimitReached.self, API.AddMask(mask: API.Mask(screen: "one too many")))
    let masks = (0..<256).map { "[[mask]]\nscreen = \"configured \($0)\"\n" }.joined()
    try daemon.write(masks)
    daemon.signal(SIGHUP)
    try daemon.waitForLog("the configuration was reloaded")
    let held = try app.call(API.GetMasks())
    #expect(held.configured.count == 256 && held.added.count == 256)
    #expect(!daemon.log.contains("too many masks"))
  }

  @Test
  func `A pause ends when its client disconnects, its time is over or it is resumed`() throws {
    let daemon = try RunningDaemon(playing: taps(3000, every: 50_000))
    do {
      var only = try daemon.client()
      #expect(try only.call(API.Pause()).isPaused)
    }
    try daemon.pass(seconds: 0)
    var status = try daemon.client()
    func begun() throws -> Int64 { try status.call(API.GetStatus()).session?.totals.begun ?? 0 }
    // The pause of the only client has ended.
    #expect(try status.call(API.GetStatus()).pauses == 0)
    try daemon.pass(seconds: 1)
    #expect(try begun() >= 5)
    do {
      var app = try daemon.client()
      #expect(try app.call(API.Pause()).isPaused)
      #expect(try status.call(API.GetStatus()).pauses == 1)
      try daemon.pass(seconds: 0.4)
      let before = try status.call(API.GetStatus())
      try daemon.pass(seconds: 0.6)
      let after = try status.call(API.GetStatus())
      #expect(after.session?.totals.begun == before.session?.totals.begun)
      #expect(after.tally.unrecorded > before.tally.unrecorded)
    }
    try daemon.pass(seconds: 0)
    #expect(try status.call(API.GetStatus()).pauses == 0)

    var app = try daemon.client()
    _ = try app.call(API.Pause(durationMs: 200))
    try daemon.pass(seconds: 0.199)
    #expect(try status.call(API.GetStatus()).pauses == 1)
    try daemon.pass(seconds: 0.001)
    #expect(try status.call(API.GetStatus()).pauses == 0)

    try app.start(API.Pause())
    #expect(
      try app.receive(API.Pause.self, within: .seconds(200 * slowness))?.reply.isPaused == true)
    // A client resumes only its own pauses, unless it asks for all.
    _ = try status.call(API.Resume())
    #expect(try status.call(API.GetStatus()).pauses == 1)
    _ = try status.call(API.Resume(all: true))
    #expect(
      try app.receive(API.Pause.self, within: .seconds(200 * slowness))?.reply.isPaused == false)
    let before = try begun()
    try daemon.pass(seconds: 1)
    #expect(try begun() > before)
  }
}
