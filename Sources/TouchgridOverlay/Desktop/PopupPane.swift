internal import CGTK
internal import COverlay
internal import TouchFeedback

/// A window over an output of an X server, which no window manager manages.
@safe final class PopupPane: Pane {
  let output: Output
  let surface: Surface
  var displays: [String] = []

  private let tick: (any Pane) -> Bool
  private let painter: Painter
  private var picture = Picture.nothing
  private var window: UnsafeMutablePointer<GtkWidget>?
  private var isTicking = false
  private var resized: SignalConnection?
  /// Of windows that come and go, which matter while there is something to show.
  private var notice: OpaquePointer?

  init(on output: Output, _ surface: Surface, _ tick: @escaping (any Pane) -> Bool) {
    self.output = output
    self.surface = surface
    self.tick = tick
    painter = Painter(surface: surface)
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe window = touchgrid_window_new(1, surface == .translucent ? 1 : 0, Self.draw, owner)
    guard let window = unsafe window else { return }
    unsafe touchgrid_window_place(window, output.place)
    if surface == .opaque { unsafe Region([]).use { unsafe touchgrid_window_shape(window, $0) } }
    // At once: a frame later, bubbles would have been seen where they are in a window of another size.
    resized = unsafe SignalConnection(UnsafeMutableRawPointer(window), "size-allocate") {
      [unowned self] in if tick(self) { wake() }
    }
    unsafe gtk_widget_show(window)
    // It came on top of all, lock screens included. There is nothing to be seen of it yet.
    unsafe touchgrid_x11_settle(window)
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
    var new = wanted
    // Before it is asked what lies above: none can come in between.
    watch(!wanted.isEmpty)
    if !new.isEmpty, unsafe touchgrid_x11_raise(window) == 0 { new = .nothing }
    let damage = new.damage(after: picture)
    picture = new
    guard !damage.isEmpty else { return }
    if surface == .opaque {
      let region = painter.region(of: new, width: Int(width), height: Int(height))
      unsafe region.use { unsafe touchgrid_window_shape(window, $0) }
    }
    unsafe Region(damage).use { unsafe gtk_widget_queue_draw_region(window, $0) }
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

  private static let draw: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = {
    owner, context in
    guard let owner = unsafe owner, let context = unsafe context else { return }
    let pane = unsafe Unmanaged<PopupPane>.fromOpaque(owner).takeUnretainedValue()
    let window = Region([Area(x: 0, y: 0, width: Int(pane.width), height: Int(pane.height))])
    unsafe pane.painter.draw(pane.picture, within: window, on: context)
  }
}
