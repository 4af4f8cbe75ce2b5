import Foundation
import TestSupport
import Testing
import TouchgridAPI

@testable import TouchgridDaemon

@Suite struct FollowTests {
  private let daemon: RunningDaemon

  /// Starts a daemon that plays taps for two minutes, so that it has a display.
  init() throws { daemon = try RunningDaemon(playing: taps(600)) }

  private func display() throws -> String {
    try #require(try daemon.call(API.GetDisplays()).displays.first).name
  }

  @Test func `After a follower disconnects, the screen is default and the log says so`() throws {
    let display = try display()
    do {
      var follower = try daemon.client()
      _ = try follower.call(API.Follow())
      _ = try follower.call(API.SetScreen(name: "menu"))
      #expect(try daemon.call(API.GetStatus()).followers == 1)
    }
    // One that connects in time names the screen.
    do {
      var follower = try daemon.client()
      _ = try follower.call(API.Follow())
      _ = try follower.call(API.SetScreen(name: "catalogue", display: display))
      try daemon.pass(seconds: 60)
      #expect(try daemon.call(API.GetScreen(display: display)).screen == "catalogue")
    }
    try daemon.pass(seconds: 5)
    #expect(try daemon.call(API.GetScreen(display: display)).screen == "default")
    #expect(try daemon.call(API.GetStatus()).followers == 0)
    try daemon.waitForLog(
      "the follower of \(display) has disconnected; the screen there is \"default\" until a client "
        + "names one"
    )
  }

  @Test(arguments: [nil, API.Rectangle(x: 0, y: 0, width: 64, height: 64)])
  func `A screen with a mask stays after its follower disconnects, until it is unmasked`(
    rectangle: API.Rectangle?
  ) throws {
    let display = try display()
    let mask = API.Mask(screen: "pay", rectangle: rectangle)
    do {
      var follower = try daemon.client()
      _ = try follower.call(API.Follow())
      _ = try follower.call(API.AddMask(mask: mask))
      _ = try follower.call(API.SetScreen(name: "pay"))
    }
    try daemon.pass(seconds: 60)
    #expect(try daemon.call(API.GetStatus()).followers == 0)
    #expect(try daemon.call(API.GetScreen(display: display)).screen == "pay")
    _ = try daemon.call(API.RemoveMask(mask: mask))
    #expect(try daemon.call(API.GetScreen(display: display)).screen == "default")
  }
}
