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
  }
}
