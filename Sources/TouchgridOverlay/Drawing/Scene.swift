internal import TouchFeedback
internal import TouchModel
internal import TouchgridAPI

/// All that the drawing depends on: touches, displays, masks. No window, no clock.
struct Scene: Sendable {
  private let style: BubbleStyle
  private var history = TouchHistory()
  private(set) var displays: [String: API.Display] = [:]
  private var masks: [API.Mask] = []
  private var down: [Int64: String] = [:]
  /// Down since before their display was turned: their points are still those of the old one.
  private var stale: Set<Int64> = []

  init(style: BubbleStyle) { self.style = style }

  /// What a frame may have changed.
  enum Change: Equatable {
    case touches(on: Set<String>)
    /// Displays or masks.
    case everything
  }

  mutating func take(_ frame: API.WatchTouches.Reply, at time: Timestamp) -> Change {
    if let displays = frame.displays { take(displays, at: time) }
    if let masks = frame.masks { self.masks = masks }
    var samples: [TouchSample] = []
    for touch in frame.touches {
      switch touch.phase {
      case .began, .moved, .stationary: down[touch.id] = touch.display
      case .ended, .cancelled:
        down[touch.id] = nil
        if stale.remove(touch.id) != nil { continue }
      }
      if stale.contains(touch.id) { continue }
      samples.append(
        TouchSample(
          touch: touch.id, phase: touch.phase, point: Point(x: touch.point.x, y: touch.point.y),
          display: touch.display))
    }
    history.take(samples, at: time)
    if frame.displays != nil || frame.masks != nil { return .everything }
    return .touches(on: Set(samples.map(\.display)))
  }

  private mutating func take(_ list: [API.Display], at time: Timestamp) {
    let old = displays
    displays = Dictionary(list.map { ($0.name, $0) }) { $1 }
    var gone: [TouchSample] = []
    for (touch, name) in down {
      guard let before = old[name]?.geometry, before != displays[name]?.geometry else { continue }
      stale.insert(touch)
      gone.append(
        TouchSample(touch: touch, phase: .cancelled, point: Point(x: 0, y: 0), display: name))
    }
    history.take(gone, at: time)
  }

  /// Nobody tells of touches any more.
  mutating func clear() {
    history.clear()
    (displays, masks, down, stale) = ([:], [], [:], [])
  }

  mutating func forget(at time: Timestamp) { history.forget(at: time) }

  func nextChange(after time: Timestamp) -> Timestamp? {
    history.nextChange(after: time, style: style)
  }

  /// What an output of this size, in its points, shows of a display.
  func picture(
    of name: String, width: Double, height: Double, at time: Timestamp, surface: Surface
  ) -> Picture {
    guard let display = displays[name], display.geometry.width > 0, display.geometry.height > 0
    else { return .nothing }
    let (x, y) = (width / display.geometry.width, height / display.geometry.height)
    let shapes = history.shapes(on: name, at: time, style: style, surface: surface)
    guard !shapes.isEmpty else { return .nothing }
    var areas: [Area] = []
    for mask in masks where mask.screen == display.screen && (mask.display ?? name) == name {
      guard let rectangle = mask.rectangle else { return .nothing }
      areas.append(
        Area(
          covering: rectangle.x * x, rectangle.y * y, (rectangle.x + rectangle.width) * x,
          (rectangle.y + rectangle.height) * y))
    }
    return Picture(shapes: shapes.map { $0.moved(byX: x, y) }, masks: areas)
  }
}
