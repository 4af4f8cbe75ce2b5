internal import TouchFeedback
internal import TouchModel
internal import TouchgridAPI

/// The state that the drawing depends on: touches, displays and masks. It uses no window and no
/// clock.
struct Scene: Sendable {
  /// The maximum number of touches that are down. A further touch replaces the oldest one, which is
  /// no longer drawn.
  static let limit = 256

  private let style: BubbleStyle
  private var history = TouchHistory()
  private(set) var displays: [String: API.Display] = [:]
  private var masks: [API.Mask] = []
  private var down: [Int64: String] = [:]
  /// The touches that began before the geometry of their display changed. Their points still belong
  /// to the old geometry.
  private var stale: Set<Int64> = []

  init(style: BubbleStyle) { self.style = style }

  /// The possible change by a frame.
  enum Change: Equatable {
    case touches(on: Set<String>)
    /// Displays or masks have changed.
    case everything
  }

  mutating func apply(_ frame: API.WatchTouches.Reply, at time: Timestamp) -> Change {
    if let displays = frame.displays { apply(displays, at: time) }
    if let masks = frame.masks { self.masks = masks }
    var samples: [TouchSample] = []
    for touch in frame.touches {
      switch touch.phase {
      case .began, .moved, .stationary:
        samples += makeRoom(for: touch.id)
        down[touch.id] = touch.display
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
    history.apply(samples, at: time)
    if frame.displays != nil || frame.masks != nil { return .everything }
    return .touches(on: Set(samples.map(\.display)))
  }

  /// Forgets the oldest touch if there is no room for a new one, and returns the sample that
  /// cancels it. This bounds the memory if a daemon reports touch-downs without touch-ups.
  private mutating func makeRoom(for touch: Int64) -> [TouchSample] {
    guard down[touch] == nil, down.count >= Self.limit, let oldest = down.keys.min() else {
      return []
    }
    stale.remove(oldest)
    return down.removeValue(forKey: oldest).map { [Self.cancelled(oldest, on: $0)] } ?? []
  }

  private static func cancelled(_ touch: Int64, on display: String) -> TouchSample {
    TouchSample(touch: touch, phase: .cancelled, point: Point(x: 0, y: 0), display: display)
  }

  private mutating func apply(_ list: [API.Display], at time: Timestamp) {
    let old = displays
    displays = Dictionary(list.map { ($0.name, $0) }) { $1 }
    var gone: [TouchSample] = []
    for (touch, name) in down {
      guard let before = old[name]?.geometry, before != displays[name]?.geometry else { continue }
      stale.insert(touch)
      gone.append(Self.cancelled(touch, on: name))
    }
    history.apply(gone, at: time)
  }

  /// Forgets everything, because the connection to the daemon is lost.
  mutating func clear() {
    history.clear()
    (displays, masks, down, stale) = ([:], [], [:], [])
  }

  /// The numbers of touches that are down, and of those that began before their display changed.
  var touchCounts: (down: Int, stale: Int) { (down.count, stale.count) }

  mutating func forget(at time: Timestamp) { history.forget(at: time) }

  func nextChange(after time: Timestamp) -> Timestamp? {
    history.nextChange(after: time, style: style)
  }

  /// Returns the picture of an output of this size, in points. Each display is stretched over the
  /// whole output. A mask of one display hides the bubbles of all displays there, and a mask of a
  /// whole screen leaves nothing to draw.
  func picture(
    of names: [String], width: Double, height: Double, at time: Timestamp, surface: Surface
  ) -> Picture {
    var picture = Picture.nothing
    for name in names {
      guard let display = displays[name] else { continue }
      let geometry = display.geometry
      let isMeasured = geometry.width > 0 && geometry.height > 0
      let (x, y) = (width / geometry.width, height / geometry.height)
      for mask in masks where mask.screen == display.screen && (mask.display ?? name) == name {
        guard isMeasured, let rectangle = mask.rectangle else { return .nothing }
        picture.masks.append(
          Area(
            covering: rectangle.x * x, rectangle.y * y, (rectangle.x + rectangle.width) * x,
            (rectangle.y + rectangle.height) * y))
      }
      guard isMeasured else { continue }
      picture.shapes += history.shapes(on: name, at: time, style: style, surface: surface)
        .map { $0.moved(byX: x, y) }
    }
    return picture.isEmpty ? .nothing : picture
  }
}
