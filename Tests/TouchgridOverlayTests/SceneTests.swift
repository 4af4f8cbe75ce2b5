import Testing
import TouchFeedback
import TouchModel
import TouchgridAPI

@testable import TouchgridOverlay

@Suite struct SceneTests {
  private func display(
    width: Int = 800, height: Int = 400, screen: String = "menu"
  ) throws -> API.Display {
    let geometry = try #require(DisplayGeometry(pixelWidth: width, pixelHeight: height))
    return API.Display(
      name: "DSI-1", geometry: API.Geometry(geometry), geometrySource: .configuration,
      screen: screen, devices: [])
  }

  private func touch(_ id: Int64, _ phase: Phase, x: Double = 100, y: Double = 50) -> API.Touch {
    API.Touch(
      id: id, phase: phase, point: API.Point(x: x, y: y), block: API.Block(column: 0, row: 0),
      device: "panel", display: "DSI-1", screen: "menu", preexisting: false)
  }

  private func frame(
    _ touches: [API.Touch], _ display: API.Display? = nil, masks: [API.Mask]? = nil
  ) -> API.WatchTouches.Reply {
    API.WatchTouches.Reply(
      atUs: 0, touches: touches, displays: display.map { [$0] }, masks: masks)
  }

  private func picture(_ scene: Scene) -> Picture {
    scene.picture(of: ["DSI-1"], width: 400, height: 400, at: .zero, surface: .translucent)
  }

  private func centres(_ picture: Picture) -> Set<Point> {
    Set(
      picture.shapes.compactMap { shape in
        if case .disc(let centre, _, _, _, _) = shape { centre } else { nil }
      })
  }

  @Test func `Points are scaled to the output, and sizes are not`() throws {
    var scene = Scene(style: BubbleStyle())
    let change = scene.apply(frame([touch(1, .began)], try display()), at: .zero)
    #expect(change == .everything)
    let shown = picture(scene)
    #expect(centres(shown) == [Point(x: 50, y: 50)])
    #expect(shown.shapes.map(\.extent).contains(Area(x: 27, y: 27, width: 46, height: 46)))
    #expect(scene.apply(frame([touch(1, .moved)]), at: .zero) == .touches(on: ["DSI-1"]))
  }

  @Test func `Nothing is drawn in masks of the shown screen`() throws {
    var scene = Scene(style: BubbleStyle())
    let keypad = API.Mask(
      screen: "pin", rectangle: API.Rectangle(x: 101, y: 10.5, width: 100, height: 20))
    _ = scene.apply(frame([touch(1, .began)], try display(), masks: [keypad]), at: .zero)
    #expect(!picture(scene).isEmpty && picture(scene).masks.isEmpty)
    _ = scene.apply(frame([], try display(screen: "pin")), at: .zero)
    // The mask covers 50.5 to 100.5 and 10.5 to 30.5, which is rounded outwards.
    #expect(picture(scene).masks == [Area(x: 50, y: 10, width: 51, height: 21)])
    _ = scene.apply(frame([], masks: [API.Mask(screen: "pin")]), at: .zero)
    #expect(picture(scene).isEmpty)
    _ = scene.apply(frame([], masks: [API.Mask(screen: "pin", display: "DP-1")]), at: .zero)
    #expect(!picture(scene).isEmpty)
    _ = scene.apply(frame([], masks: []), at: .zero)
    #expect(!picture(scene).isEmpty)
  }

  @Test func `A touch is not drawn after its display was turned`() throws {
    var scene = Scene(style: BubbleStyle())
    _ = scene.apply(frame([touch(1, .began)], try display()), at: .zero)
    _ = scene.apply(frame([], try display(width: 400, height: 800)), at: .zero)
    #expect(picture(scene).isEmpty)
    _ = scene.apply(frame([touch(1, .moved)]), at: .zero)
    #expect(picture(scene).isEmpty)
    _ = scene.apply(frame([touch(1, .ended), touch(2, .began)]), at: .zero)
    #expect(centres(picture(scene)) == [Point(x: 100, y: 25)])
  }

  @Test func `No touch stays after the daemon has disconnected`() throws {
    var scene = Scene(style: BubbleStyle())
    _ = scene.apply(frame([touch(1, .began)], try display()), at: .zero)
    scene.clear()
    _ = scene.apply(frame([], try display()), at: .zero)
    #expect(picture(scene).isEmpty)
  }

  private func twoOnOneOutput(_ masks: [API.Mask], touchOn name: String) throws -> Picture {
    var other = try display(screen: "pin")
    other.name = "kiosk"
    var scene = Scene(style: BubbleStyle())
    var finger = touch(1, .began)
    finger.display = name
    _ = scene.apply(
      API.WatchTouches.Reply(
        atUs: 0, touches: [finger], displays: [try display(), other], masks: masks), at: .zero)
    return scene.picture(
      of: ["DSI-1", "kiosk"], width: 400, height: 400, at: .zero, surface: .translucent)
  }

  @Test func `On a shared output, bubbles are not drawn in masks of the other display`() throws {
    let keypad = API.Mask(
      screen: "pin", rectangle: API.Rectangle(x: 100, y: 10, width: 100, height: 20))
    let area = Area(x: 50, y: 10, width: 50, height: 20)
    for name in ["DSI-1", "kiosk"] {
      let shown = try twoOnOneOutput([keypad], touchOn: name)
      #expect(!shown.isEmpty && shown.masks == [area])
      #expect(try twoOnOneOutput([API.Mask(screen: "pin")], touchOn: name).isEmpty)
      #expect(try !twoOnOneOutput([API.Mask(screen: "other")], touchOn: name).isEmpty)
    }
  }

  @Test func `The number of remembered touches is limited`() throws {
    var scene = Scene(style: BubbleStyle())
    _ = scene.apply(frame([], try display()), at: .zero)
    for id in 0..<Int64(3 * Scene.limit) {
      // Each touch begins before the display is changed.
      _ = scene.apply(frame([touch(id, .began)]), at: .zero)
      _ = scene.apply(
        frame([], try display(width: id % 2 == 0 ? 400 : 800, height: 400)), at: .zero)
    }
    #expect(scene.touchCounts.down == Scene.limit)
    #expect(scene.touchCounts.stale <= Scene.limit)
    _ = scene.apply(frame([touch(9999, .began)]), at: .zero)
    #expect(centres(picture(scene)).count == 1)
  }
}
