import Foundation
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@testable import Storage

/// The memory limit for grids, with an app that shows many screens on the largest possible display.
@Suite struct GridMemoryTests {
  @Test
  func `Memory of grids is limited, status and log say so, and the store stays sound`() throws {
    let daemon = try RunningDaemon(playing: taps(600))
    var app = try daemon.client()
    let display = try #require(try app.call(API.GetDisplays()).displays.first).name
    _ = try app.call(API.SetDisplay(name: display, pixelWidth: 16_384, pixelHeight: 16_384))
    let first = try app.call(API.GetStatus()).grids
    #expect(first.limitBytes == Int64(GridMemory.limit) && !first.isFull)
    var number = 0
    func showNext() throws {
      number += 1
      _ = try app.call(API.SetScreen(name: "screen \(number % 60)"))
      try daemon.pass(seconds: 0.28)
    }
    try daemon.pass(atMost: 60) {
      try showNext()
      let grids = try app.call(API.GetStatus()).grids
      #expect(grids.bytes <= grids.limitBytes)
      return grids.isFull
    }
    let words = "its grids have reached the memory limit (32 MiB): touches on further screens"
    try daemon.pass(atMost: 30) {
      try showNext()
      return daemon.log.contains(words)
    }
    let lines = daemon.log.split(separator: "\n").filter { $0.contains("reached the memory limit") }
    #expect(lines.count == 1)
    try daemon.pass(atMost: 30) {
      try showNext()
      let screens = try app.call(API.ListScreens()).screens
      return screens.first { $0.screen == "other" }?.touches ?? 0 > 3
    }
    try daemon.stop()
    let results = try Store(reading: daemon.store, options: StoreOptions()).check()
    #expect(results.allSatisfy { $0.faultCount == 0 }, "\(results)")
  }
}
