import Foundation
import TestSupport
import Testing
import TouchgridAPI

/// `touchgrid-follow` with a daemon that cannot accept all its masks.
@Suite struct FollowerMaskTests {
  private let daemon: RunningDaemon

  /// Starts a daemon that plays taps for two minutes, in real time as the follower.
  init() throws { daemon = try RunningDaemon(playing: taps(600), keepsRealTime: true) }

  /// The built `touchgrid-follow`, which reads the names of the shown pages from its standard
  /// input.
  private final class Follower {
    let process = Process()
    private let input = Pipe()
    private let log: String

    /// - Parameter masked: The number of screens that rules mask: "pay/1000", "pay/1001" and so on.
    init(_ daemon: RunningDaemon, masked count: Int, _ arguments: String...) throws {
      let rules = (0..<count).map { "[[rule]]\nurl = \"/pay/\(1000 + $0)\"\nmask = true\n" }
      let file = try daemon.folder.write(
        "[[source]]\nkind = \"pipe\"\npath = \"-\"\n" + rules.joined(), to: "follow.toml")
      log = try daemon.folder.write("", to: "follow.log")
      process.executableURL = try program("touchgrid-follow", preferring: "TOUCHGRID_BINARIES")
      process.arguments = ["--config", file, "--socket", daemon.socket] + arguments
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle(forWritingAtPath: log)
      try process.run()
    }

    deinit {
      if process.isRunning {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }

    var text: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    func show(_ name: String) { input.fileHandleForWriting.write(Data("\(name)\n".utf8)) }
  }

  private func shows(_ screen: String) throws -> Bool {
    try within(seconds: 20) {
      try daemon.call(API.GetScreen()).screen == screen
    }
  }

  private func status() throws -> API.GetStatus.Reply { try daemon.call(API.GetStatus()) }

  /// Whether new touches are masked, and none is counted.
  private func isMasked() throws -> Bool {
    let masked = try #require(status().session).totals.masked
    // After a few more masked touches, all touches from before this call are committed.
    guard try within(seconds: 20, { try status().session?.totals.masked ?? 0 > masked + 3 }) else {
      return false
    }
    let before = try #require(status().session).totals
    let isGoingOn = try within(seconds: 20) {
      try status().session?.totals.masked ?? 0 > before.masked + 3
    }
    return try isGoingOn && status().session?.totals.counted == before.counted
  }

  @Test func `A screen without room for its mask is named as another masked screen`() throws {
    let follower = try Follower(daemon, masked: 300)
    follower.show("menu")
    #expect(try shows("menu"))
    #expect(try daemon.call(API.GetMasks()).added.count == 256)
    follower.show("pay/1299")
    #expect(try shows("pay/1000"))
    #expect(try isMasked())
    follower.show("pay/1007")
    #expect(try shows("pay/1007"))
    #expect(try isMasked())
    #expect(follower.process.isRunning)
    let text = follower.text
    #expect(text.contains("with this rule, more screens are masked than the daemon accepts"))
    let notices = text.split(separator: "\n").filter {
      $0.contains("the daemon accepts no more masks")
    }
    #expect(notices.count == 1)
    #expect(notices.first?.contains("\"pay/1256\" and 43 more screens") == true, "\(notices)")
  }

  @Test
  func `If other clients have all masks, recording pauses while a masked screen is shown`() throws {
    var other = try daemon.client()
    let mask = { (number: Int) in
      API.Mask(
        screen: "theirs \(number)", rectangle: API.Rectangle(x: 0, y: 0, width: 9, height: 9))
    }
    for number in 0..<256 { _ = try other.call(API.AddMask(mask: mask(number))) }
    let follower = try Follower(daemon, masked: 1)
    follower.show("menu")
    #expect(try shows("menu"))
    #expect(try within(seconds: 20) { try status().session?.totals.counted ?? 0 > 0 })
    follower.show("pay/1000")
    #expect(try within(seconds: 20) { try status().pauses == 1 })
    let before = try status()
    #expect(
      try within(seconds: 20) { try status().tally.unrecorded > before.tally.unrecorded + 3 })
    #expect(try status().session?.totals.begun == before.session?.totals.begun)
    #expect(try shows("menu"))
    follower.show("menu")
    #expect(try within(seconds: 20) { try status().pauses == 0 })
    #expect(follower.text.contains("recording is paused while it is shown"))

    // Once the daemon accepts its mask, the screen is masked under its own name.
    _ = try other.call(API.RemoveMask(mask: mask(9)))
    follower.show("pay/1000")
    #expect(try shows("pay/1000"))
    #expect(try status().pauses == 0)
    #expect(try isMasked())
  }

  @Test(arguments: [256, 257])
  func `More masked screens than the daemon accepts fail the check`(count: Int) throws {
    let follower = try Follower(daemon, masked: count, "--check")
    #expect(within(seconds: 20) { !follower.process.isRunning })
    #expect(follower.process.terminationStatus == (count > 256 ? 78 : 0))
    #expect(follower.text.contains("follow.toml:\(3 * 256 + 6): with this rule,") == (count > 256))
  }
}
