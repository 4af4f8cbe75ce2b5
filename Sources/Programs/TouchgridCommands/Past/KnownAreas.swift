import Text
import TouchModel
import TouchgridAPI

/// The masks and controls that hold now. A store does not have them.
struct KnownAreas {
  private var masks: API.GetMasks.Reply?
  private var controls: [API.ScreenControls] = []

  init(_ past: Past) throws {
    guard case .daemon(let daemon) = past else { return }
    masks = try daemon.call(API.GetMasks())
    let reply = try daemon.call(API.GetControls())
    controls = reply.configured + reply.added
  }

  func masks(on key: GridKey) -> [Rectangle] {
    guard let masks else { return [] }
    let whole = Rectangle(x: 0, y: 0, width: key.geometry.width, height: key.geometry.height)
    let own = (masks.configured + masks.added + masks.widened).filter {
      ExactName($0.screen) == ExactName(key.screen) && Self.isOn($0.display, key)
    }
    return ((masks.everything ? [whole] : []) + own.map { $0.rectangle?.rectangle ?? whole })
      .compactMap(\.self)
  }

  func controls(on key: GridKey) -> [Rectangle] {
    controls.filter {
      ExactName($0.screen) == ExactName(key.screen) && Self.isOn($0.display, key)
    }
    .flatMap(\.controls).compactMap(\.rectangle.rectangle)
  }

  private static func isOn(_ display: String?, _ key: GridKey) -> Bool {
    display.map { ExactName($0) == ExactName(key.display) } ?? true
  }
}
