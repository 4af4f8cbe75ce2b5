import Foundation
import Testing

extension KioskGuestTests {
  /// docs/kiosks.md is true: each recipe leads from a fresh machine to a report in which every touch is on its screen.
  @Suite struct Kiosks {
    private let link = Kiosk.Place(x: 200, y: 300)
    private let nothing = Kiosk.Place(x: 800, y: 300)

    /// Goes through the site, and back to its first page.
    private func visit(_ kiosk: Kiosk) throws {
      try kiosk.wait(for: "home")
      let home = try kiosk.touch(nothing) + kiosk.touch(link, for: "product")
      let product = try kiosk.touch(nothing) + kiosk.touch(nothing) + kiosk.touch(link, for: "pay")
      let pay = try kiosk.touch(nothing) + kiosk.touch(link, for: "home")

      let report = try kiosk.report()
      #expect(report.touches["home"] == home)
      #expect(report.touches["product"] == product)
      #expect(report.touches["pay"] == 0)
      #expect(report.masked == pay)
      #expect(report.begun == home + product + pay)
      #expect(report.page.contains("product"))
    }

    @Test func aSiteInChromiumOnWayland() throws {
      let kiosk = try Kiosk("A site in Chromium, on Wayland")
      try visit(kiosk)
      try kiosk.end()
    }

    @Test func aSiteInChromiumOnX11() throws {
      let kiosk = try Kiosk("A site in Chromium, on X11")
      try visit(kiosk)
      try kiosk.end()
    }

    @Test("a program of its own, which is there again after a boot")
    func aProgram() throws {
      let play = Kiosk.Place(x: 552, y: 420)
      let board = Kiosk.Place(x: 400, y: 400)
      let close = Kiosk.Place(x: 1000, y: 23)
      let kiosk = try Kiosk("A program of its own")
      try kiosk.wait(for: "welcome")
      let welcome = try kiosk.touch(nothing) + kiosk.touch(play, for: "game")
      let game = try kiosk.touch(board) + kiosk.touch(close, for: "welcome")

      let report = try kiosk.report()
      #expect(report.touches["welcome"] == welcome)
      #expect(report.touches["game"] == game)
      #expect(report.begun == welcome + game)
      #expect(report.page.contains("welcome"))

      try kiosk.reboot()
      try kiosk.wait(for: "welcome")
      try kiosk.end()
    }
  }
}
