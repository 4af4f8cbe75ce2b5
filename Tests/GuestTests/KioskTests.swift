import Foundation
import Testing

extension KioskGuestTests {
  /// Checks that docs/kiosks.md is true. Each recipe leads from a fresh machine to a kiosk that
  /// boots, to a report that has every touch on its screen, and back.
  @Suite struct Kiosks {
    private let link = KioskRecipeGuest.Place(x: 200, y: 300)
    private let nothing = KioskRecipeGuest.Place(x: 800, y: 300)

    /// Goes through the site and back to its first page.
    /// - Parameter findsControls: Whether the follower finds the links.
    private func visit(_ kiosk: KioskRecipeGuest, findsControls: Bool) throws {
      try kiosk.wait(for: "home")
      if findsControls { try kiosk.waitForControls(of: "home") }
      try kiosk.touch(nothing)
      var home = try 1 + kiosk.touch(link, for: "product")
      if findsControls { try kiosk.waitForControls(of: "product") }
      for _ in 0..<2 { try kiosk.touch(nothing) }
      let product = try 2 + kiosk.touch(link, for: "pay")
      try kiosk.touch(nothing)
      let pay = try 1 + kiosk.touch(link, for: "home")
      // A masked screen is stored with the next touch outside of masks.
      try kiosk.touch(nothing)
      home += 1

      let report = try kiosk.report()
      #expect(report.touches["home"] == home)
      #expect(report.touches["product"] == product)
      #expect(report.touches["pay"] == 0)
      #expect(report.masked == pay)
      #expect(report.begun == home + product + pay)
      #expect(report.page.contains("product"))
      if findsControls {
        // The link of a page is its left half, and the other touches lie far from it.
        #expect(report.hits == ["home": home - 2, "product": product - 2])
      }

      try kiosk.crash("chromium")
      try kiosk.wait(for: "home")
    }

    @Test func `The recipe for a site in Chromium on Wayland works`() throws {
      try KioskRecipeGuest.following(
        "Every kiosk", "A site in Chromium, on Wayland", "Set up with secrets"
      ) { try visit($0, findsControls: true) }
    }

    @Test func `The recipe for a site in Chromium on X11 works`() throws {
      try KioskRecipeGuest.following(
        "Every kiosk", "A site in Chromium, on X11", "Set up with secrets"
      ) { try visit($0, findsControls: false) }
    }

    @Test func `The recipe for a program of its own works`() throws {
      let play = KioskRecipeGuest.Place(x: 552, y: 420)
      let board = KioskRecipeGuest.Place(x: 400, y: 400)
      let close = KioskRecipeGuest.Place(x: 1000, y: 23)
      try KioskRecipeGuest.following(
        "Every kiosk", "A program of its own", "Set up without secrets"
      ) { kiosk in
        try kiosk.wait(for: "welcome")
        try kiosk.touch(nothing)
        let welcome = try 1 + kiosk.touch(play, for: "game")
        try kiosk.touch(board)
        let game = try 1 + kiosk.touch(close, for: "welcome")

        let report = try kiosk.report()
        #expect(report.touches["welcome"] == welcome)
        #expect(report.touches["game"] == game)
        #expect(report.begun == welcome + game)
        #expect(report.page.contains("welcome"))

        try kiosk.crash("sway")
        try kiosk.wait(for: "welcome")
        try kiosk.follow("Remove it")
        #expect(try kiosk.remains() == "")
      }
    }
  }
}
