internal import CGTK
internal import COverlay
internal import TouchFeedback

/// A window over an output of an X server that bypasses the window manager.
@safe final class PopupPane: Pane {
  let output: Output
  let surface: Surface
  var displays: [String] = []
  let isClosed = false
  private(set) var isCovered = false

  private let tick: (any Pane) -> Bool
  private let painter: Painter
  private var picture = Picture.nothing
  /// The shape of the window, outside of which it covers nothing of the screen.
  private var shape = Region([])
  private var window: UnsafeMutablePointer<GtkWidget>?
  private var isTicking = false
  private var resized: SignalConnection?
  /// The watch for windows that appear and disappear. It exists while there is something to show,
  /// or while a lock screen covers the pane.
  private var notice: OpaquePointer?

  init(
    on output: Output, _ surface: Surface, takesInput: Bool,
    _ tick: @escaping (any Pane) -> Bool
  ) {
    self.output = output
    self.surface = surface
    self.tick = tick
    painter = Painter(surface: surface)
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe window = touchgrid_window_new(
      1, surface == .translucent ? 1 : 0, takesInput ? 1 : 0, Self.draw, owner)
    guard let window = unsafe window else { return }
    unsafe touchgrid_window_place(window, output.place)
    // Draw immediately. Otherwise bubbles would be misplaced for one frame.
    resized = unsafe SignalConnection(UnsafeMutableRawPointer(window), "size-allocate") {
      [unowned self] in if tick(self) { wake() }
    }
    unsafe touchgrid_x11_show(window)
  }

  deinit {
    resized = nil
    watch(false)
    if let window = unsafe window { unsafe gtk_widget_destroy(window) }
  }

  var width: Double { Double(unsafe gtk_widget_get_allocated_width(window)) }
  var height: Double { Double(unsafe gtk_widget_get_allocated_height(window)) }

  func wake() {
    guard !isTicking else { return }
    isTicking = true
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe touchgrid_window_tick(window, Self.ticked, owner)
  }

  func show(_ wanted: Picture) {
    // Start the watch before looking at the windows above, so that no change in between is missed.
    watch(!wanted.isEmpty || isCovered)
    var new = wanted
    var damage = new.damage(after: picture)
    if wanted.isEmpty {
      if isCovered { isCovered = unsafe touchgrid_x11_above(window) == TOUCHGRID_LOCK_ABOVE }
    } else {
      let above = unsafe touchgrid_x11_raise(window)
      isCovered = above == TOUCHGRID_LOCK_ABOVE
      if isCovered {
        new = .nothing
        damage = new.damage(after: picture)
      } else if above == TOUCHGRID_SOMETHING_ABOVE {
        damage = (picture.shapes + new.shapes).map(\.extent)
      }
    }
    watch(!wanted.isEmpty || isCovered)
    let hadBubbles = !picture.isEmpty
    picture = new
    if !damage.isEmpty { present(damage) }
    // An empty window on top would obstruct new windows, and compositing managers that leave the
    // whole screen to a full-screen window.
    if hadBubbles, new.isEmpty { unsafe touchgrid_x11_lower(window) }
  }

  private func present(_ damage: [Area]) {
    let all = Area(x: 0, y: 0, width: Int(width), height: Int(height))
    let old = shape
    var parts = damage
    switch surface {
    case .opaque: shape = painter.region(of: picture, width: all.width, height: all.height)
    case .translucent:
      // Compositing managers apply a new shape later than new contents. The margin lets a bubble
      // move without a new shape.
      let boxes = picture.shapes.map(\.extent).filter { !$0.isEmpty }.map {
        $0.grown(by: 32).rounded(to: 64)
      }
      shape = Region(boxes)
      shape.intersect(Region([all]))
      if !shape.equals(old) { parts += boxes }
    }
    let seen = Area.merged(parts).map { $0.intersection(all) }
    let places = seen.filter { !$0.isEmpty }.map(\.rectangle)
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe old.use { old in
      unsafe shape.use { new in
        unsafe places.withUnsafeBufferPointer { places in
          unsafe touchgrid_x11_present(
            window, old, new, places.baseAddress, Int32(places.count), Self.draw, owner)
        }
      }
    }
  }

  private func watch(_ isWanted: Bool) {
    if let old = unsafe notice, !isWanted {
      unsafe touchgrid_x11_unwatch(old)
      unsafe notice = nil
    } else if unsafe notice == nil, isWanted {
      let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe notice = touchgrid_x11_watch(window, Self.changed, owner)
    }
  }

  private static let changed: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
    guard let owner = unsafe owner else { return }
    unsafe Unmanaged<PopupPane>.fromOpaque(owner).takeUnretainedValue().wake()
  }

  private static let ticked: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { owner in
    guard let owner = unsafe owner else { return 0 }
    let pane = unsafe Unmanaged<PopupPane>.fromOpaque(owner).takeUnretainedValue()
    pane.isTicking = pane.tick(pane)
    return pane.isTicking ? 1 : 0
  }

  /// Draws everything within the clip of the context.
  private static let draw: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = {
    owner, context in
    guard let owner = unsafe owner, let context = unsafe context else { return }
    let pane = unsafe Unmanaged<PopupPane>.fromOpaque(owner).takeUnretainedValue()
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    unsafe cairo_clip_extents(context, &left, &top, &right, &bottom)
    let clip = Region([Area(covering: left, top, right, bottom)])
    unsafe pane.painter.draw(pane.picture, within: clip, on: context)
  }
}

extension Area {
  func grown(by side: Int) -> Area {
    Area(x: x - side, y: y - side, width: width + 2 * side, height: height + 2 * side)
  }

  /// Merges overlapping areas until no two overlap. Each result is the smallest area that contains
  /// the areas that were merged into it. Empty areas are left out.
  static func merged(_ areas: [Area]) -> [Area] {
    var done: [Area] = []
    for var area in areas where !area.isEmpty {
      while let index = done.firstIndex(where: { !$0.intersection(area).isEmpty }) {
        let other = done.remove(at: index)
        let (left, top) = (min(area.x, other.x), min(area.y, other.y))
        area = Area(
          x: left, y: top, width: max(area.x + area.width, other.x + other.width) - left,
          height: max(area.y + area.height, other.y + other.height) - top)
      }
      done.append(area)
    }
    return done
  }
}
