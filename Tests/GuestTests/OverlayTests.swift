import Foundation
import Testing

extension DesktopGuestTests {
  /// The overlay from its package, on sway, above an app. The touches come through the kernel.
  @Suite struct OverlayOnScreen {
    private static let left = 0..<400
    private static let right = 400..<1024

    private func expectBubble(
      at x: Double, _ y: Double, in columns: Range<Int>, _ picture: ScreenPicture,
      _ empty: ScreenPicture, _ location: SourceLocation = #_sourceLocation
    ) throws {
      let box = try #require(
        picture.difference(from: empty, columns: columns), sourceLocation: location)
      #expect(
        abs(box.centre.x - x) <= 1 && abs(box.centre.y - y) <= 1, "\(box)",
        sourceLocation: location)
      #expect(
        (15...60).contains(box.width) && abs(box.width - box.height) <= 1, "\(box)",
        sourceLocation: location)
    }

    private func settledPicture(_ desktop: OverlayGuest) throws -> ScreenPicture {
      var last = try desktop.picture()
      return try desktop.picture { picture in
        defer { last = picture }
        return picture == last
      }
    }

    @Test
    func `Bubbles are under the fingers, and the app gets the same touches as without them`() throws
    {
      let desktop = try OverlayGuest.shared()
      try desktop.plug()
      let down = ["down 0 200 400", "down 1 1200 1000", "move 1 1400 1200"]
      try desktop.touch(down[0], down[1], down[2], "up 0", "up 1")
      let without = try desktop.events(untilLiftOf: 1)

      let on = try desktop.overlay("on")
      #expect(on.status == 0, "\(on.errors)")
      // No display is configured, so the daemon assumes one and names it after the panel. Do not
      // check the name between these two parts.
      #expect(on.output.hasPrefix("The overlay is on: showing touches of "))
      #expect(on.output.hasSuffix(" on HEADLESS-1\n"), "\(on.output)")
      let empty = try settledPicture(desktop)
      try desktop.touch(down[0], down[1], down[2])
      let shown = try desktop.picture { picture in
        let box = picture.difference(from: empty, columns: Self.right)
        return box.map { abs($0.centre.x - 700) <= 1 } ?? false
      }
      try expectBubble(at: 100, 200, in: Self.left, shown, empty)
      try expectBubble(at: 700, 600, in: Self.right, shown, empty)
      try desktop.touch("up 0", "up 1")
      #expect(try desktop.picture { $0 == empty } == empty)
      let with = try desktop.events(untilLiftOf: 1)

      for events in [without, with] {
        #expect(
          events.filter { $0.kind != "motion" } == [
            .init(kind: "down", finger: 0, x: 100, y: 200),
            .init(kind: "down", finger: 1, x: 600, y: 500),
            .init(kind: "up", finger: 0), .init(kind: "up", finger: 1),
          ])
        // A slow app gets fewer motion events, but their last position and path are the same.
        let way = events.filter { $0.kind == "motion" }
        #expect(way.last == .init(kind: "motion", finger: 1, x: 700, y: 600))
        #expect(way.allSatisfy { $0.finger == 1 && $0.y == $0.x.map { $0 - 100 } })
      }
      try desktop.unplug()
    }

    @Test func `Unplugging the panel with fingers down removes the bubbles`() throws {
      let desktop = try OverlayGuest.shared()
      try desktop.plug()
      let on = try desktop.overlay("on")
      #expect(on.status == 0, "\(on.errors)")
      let empty = try settledPicture(desktop)
      try desktop.touch("down 0 200 400", "down 1 1400 1200")
      let shown = try desktop.picture { picture in
        [Self.left, Self.right].allSatisfy { picture.difference(from: empty, columns: $0) != nil }
      }
      try expectBubble(at: 100, 200, in: Self.left, shown, empty)
      try desktop.unplug()
      #expect(try desktop.picture { $0 == empty } == empty)
    }

    @Test func `A killed overlay leaves no bubble, and the status tells how it ended`() throws {
      let desktop = try OverlayGuest.shared()
      try desktop.plug()
      try desktop.setRestarts(false)
      let on = try desktop.overlay("on")
      #expect(on.status == 0, "\(on.errors)")
      let empty = try settledPicture(desktop)
      try desktop.touch("down 0 200 400")
      let shown = try desktop.picture { $0.difference(from: empty, columns: Self.left) != nil }
      try expectBubble(at: 100, 200, in: Self.left, shown, empty)
      try desktop.guest.run("pkill -KILL -x -u demo touchgrid-overl")
      #expect(try desktop.picture { $0 == empty } == empty)
      try desktop.waitUntil("\(OverlayGuest.user) systemctl --user -q is-failed touchgrid-overlay")
      let status = try desktop.overlay("status")
      #expect(status.status == 3)
      #expect(
        status.output.hasPrefix("The overlay is off: signal 9 (Killed) ended it; "),
        "\(status.output)")
      try desktop.setRestarts(true)
      // systemd 257 removes the folder of a failed service when its failure is reset.
      let again = try desktop.overlay("on")
      #expect(again.status == 0, "\(again.errors)")
      try desktop.unplug()
    }

    @Test func `A finger that stays down while the daemon restarts gets its bubble again`() throws {
      let desktop = try OverlayGuest.shared()
      try desktop.plug()
      let on = try desktop.overlay("on")
      #expect(on.status == 0, "\(on.errors)")
      let empty = try settledPicture(desktop)
      func isShown(_ picture: ScreenPicture) -> Bool {
        picture.difference(from: empty, columns: Self.left) != nil
      }
      try desktop.touch("down 0 200 400")
      #expect(isShown(try desktop.picture(where: isShown)))
      try desktop.guest.run("systemctl stop touchgridd")
      #expect(try desktop.picture { $0 == empty } == empty)
      #expect(try desktop.overlay("status").output.contains("trying again"))
      try desktop.guest.run("systemctl start touchgridd")
      try desktop.waitUntil(
        "\(OverlayGuest.user) systemctl --user show -P StatusText touchgrid-overlay | grep -q showing"
      )
      try expectBubble(
        at: 100, 200, in: Self.left, try desktop.picture(where: isShown), empty)
      try desktop.touch("up 0")
      #expect(try desktop.picture { $0 == empty } == empty)
      try desktop.unplug()
    }
  }
}
