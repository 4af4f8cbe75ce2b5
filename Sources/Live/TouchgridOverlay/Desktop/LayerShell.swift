internal import CGTK
internal import COverlay
internal import TouchFeedback

/// Wayland compositors that have the layer shell.
final class LayerShell: Backend {
  var surface: Surface { .translucent }
  var closed: (() -> Void)?
  private let takesInput: Bool

  init(takesInput: Bool) { self.takesInput = takesInput }

  /// A warning for compositors without a session lock (ext-session-lock). Their lock screens are
  /// layers, like those of the overlay, and no event reports them.
  var caution: String? {
    guard touchgrid_has_session_lock() == 0 else { return nil }
    return """
      this compositor does not support ext-session-lock: switch the overlay off before you lock \
      the screen ('touchgrid overlay off'), or touches may be drawn above the lock screen
      """
  }

  func makePane(on output: Output, _ tick: @escaping (any Pane) -> Bool) -> any Pane {
    LayerPane(on: output, takesInput: takesInput, closed: { [unowned self] in closed?() }, tick)
  }

  func makeShield(on output: Output, _ handler: @escaping (Shield.Event) -> Void) -> Shield {
    Shield(on: output, isX11: false, handler)
  }
}

/// A layer surface on an output, with a canvas that covers the whole output.
@safe final class LayerPane: Pane {
  let output: Output
  let surface = Surface.translucent
  var displays: [String] = []
  var width: Double { Double(output.place.width) }
  var height: Double { Double(output.place.height) }

  private(set) var isClosed = false
  let isCovered = false

  private let tick: (any Pane) -> Bool
  private let closed: () -> Void
  private var window: UnsafeMutablePointer<GtkWidget>?
  /// nil until the window is drawn for the first time.
  private var canvas: OpaquePointer?
  private var seen = Picture.nothing
  /// The picture that each buffer of the canvas holds.
  private var held = Array(repeating: Picture.nothing, count: Int(TOUCHGRID_BUFFERS))
  /// Whether a frame was committed and the compositor is not yet ready for the next.
  private var isWaiting = false
  /// Whether the picture must be drawn at the next refresh.
  private var isStale = true
  private var hasDrawn = false
  private var lacksBuffer = false
  /// The timer that draws even if the compositor asks for no frame, as for an output that is off or
  /// behind a lock screen. Without it, old bubbles would be visible when the output is shown again.
  private var frameTimeout: Source?

  init(
    on output: Output, takesInput: Bool, closed: @escaping () -> Void,
    _ tick: @escaping (any Pane) -> Bool
  ) {
    self.output = output
    self.closed = closed
    self.tick = tick
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe window = touchgrid_window_new(0, 1, takesInput ? 1 : 0, Self.came, owner)
    unsafe touchgrid_window_watch_close(window, Self.close, owner)
    unsafe touchgrid_window_layer(window, output.monitor.pointer, takesInput ? 1 : 0)
    unsafe gtk_widget_show(window)
  }

  deinit {
    if let canvas = unsafe canvas { unsafe touchgrid_canvas_free(canvas) }
    if let window = unsafe window { unsafe gtk_widget_destroy(window) }
  }

  func wake() {
    isStale = true
    if isWaiting { startFrameTimeout() } else { turn() }
  }

  private func turn() {
    guard unsafe canvas != nil else { return }
    isStale = tick(self) || lacksBuffer
    if isStale || hasDrawn { commit() }
  }

  private func commit() {
    (hasDrawn, lacksBuffer, isWaiting) = (false, false, true)
    unsafe touchgrid_canvas_commit(canvas)
    frameTimeout = nil
    startFrameTimeout()
  }

  private func startFrameTimeout() {
    guard frameTimeout == nil, isStale, !seen.isEmpty else { return }
    frameTimeout = Source(afterMilliseconds: 400) { [unowned self] in
      frameTimeout = nil
      turn()
    }
  }

  func show(_ new: Picture) {
    guard unsafe canvas != nil else { return }
    let damage = new.damage(after: seen)
    guard !damage.isEmpty else { return }
    var number: Int32 = 0
    guard let context = unsafe touchgrid_canvas_begin(canvas, &number) else {
      lacksBuffer = true
      return
    }
    let old = region(new.damage(after: held[Int(number)]))
    unsafe Painter(surface: surface).draw(new, within: old, on: context)
    // Compositors redraw rectangle by rectangle. Rounding the areas merges them into fewer ones.
    unsafe region(damage.map { $0.rounded(to: 32) }).use {
      unsafe touchgrid_canvas_end(canvas, context, number, $0)
    }
    held[Int(number)] = new
    seen = new
    hasDrawn = true
  }

  private func region(_ areas: [Area]) -> Region {
    let region = Region(areas)
    region.intersect(Region([Area(x: 0, y: 0, width: Int(width), height: Int(height))]))
    return region
  }

  private static let close: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
    guard let owner = unsafe owner else { return }
    let pane = unsafe Unmanaged<LayerPane>.fromOpaque(owner).takeUnretainedValue()
    pane.isClosed = true
    pane.closed()
  }

  /// The draw callback of the window. Its first call creates the canvas.
  private static let came: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = {
    owner, context in
    guard let owner = unsafe owner, let context = unsafe context else { return }
    let pane = unsafe Unmanaged<LayerPane>.fromOpaque(owner).takeUnretainedValue()
    unsafe Painter(surface: .translucent).clear(context)
    guard unsafe pane.canvas == nil else { return }
    let place = pane.output.place
    unsafe pane.canvas = touchgrid_canvas_new(
      pane.window, place.width, place.height, pane.output.scale, LayerPane.refreshed, owner)
    pane.wake()
  }

  private static let refreshed: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
    guard let owner = unsafe owner else { return }
    let pane = unsafe Unmanaged<LayerPane>.fromOpaque(owner).takeUnretainedValue()
    pane.isWaiting = false
    pane.frameTimeout = nil
    if pane.isStale { pane.turn() }
  }
}
