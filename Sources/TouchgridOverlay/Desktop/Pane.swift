internal import CGTK
internal import COverlay
internal import TouchFeedback

/// The window over one output, and what it shows.
@safe final class Pane {
  let output: Output
  /// The daemon's displays that it shows.
  var displays: [String] = []

  private(set) var picture = Picture.nothing
  private let backend: any Backend
  private let painter: Painter
  private let tick: (Pane) -> Bool
  private var window: UnsafeMutablePointer<GtkWidget>?
  private var isTicking = false
  private var resized: SignalConnection?

  /// - Parameter tick: called once a refresh after `wake`, until it says no.
  init(on output: Output, _ backend: any Backend, _ tick: @escaping (Pane) -> Bool) {
    self.output = output
    self.backend = backend
    self.tick = tick
    painter = Painter(surface: backend.surface)
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe window = backend.makeWindow(on: output, Self.draw, owner)
    guard let window = unsafe window else { return }
    // At once: a frame later, bubbles would have been seen where they are in a window of another size.
    resized = unsafe SignalConnection(UnsafeMutableRawPointer(window), "size-allocate") {
      [unowned self] in if tick(self) { wake() }
    }
    unsafe gtk_widget_show(window)
    backend.settle(self)
  }

  deinit {
    resized = nil
    if let window = unsafe window { unsafe gtk_widget_destroy(window) }
  }

  var surface: Surface { painter.surface }
  var widget: UnsafeMutablePointer<GtkWidget>? { unsafe window }

  /// In points of the output.
  var width: Double { Double(unsafe window.map { unsafe gtk_widget_get_allocated_width($0) } ?? 0) }
  var height: Double {
    Double(unsafe window.map { unsafe gtk_widget_get_allocated_height($0) } ?? 0)
  }

  /// Asks for a tick at the next refresh.
  func wake() {
    guard !isTicking, let window = unsafe window else { return }
    isTicking = true
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe touchgrid_window_tick(window, Self.ticked, owner)
  }

  /// Draws again what differs from what is seen.
  func show(_ wanted: Picture) {
    guard let window = unsafe window else { return }
    let new = backend.admit(wanted, after: picture, on: self)
    let damage = new.damage(after: picture)
    picture = new
    guard !damage.isEmpty else { return }
    let region = Region(damage)
    unsafe gtk_widget_queue_draw_region(window, region.pointer)
  }

  private static let ticked: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { owner in
    guard let owner = unsafe owner else { return 0 }
    let pane = unsafe Unmanaged<Pane>.fromOpaque(owner).takeUnretainedValue()
    pane.isTicking = pane.tick(pane)
    return pane.isTicking ? 1 : 0
  }

  private static let draw: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = {
    owner, context in
    guard let owner = unsafe owner, let context = unsafe context else { return }
    let pane = unsafe Unmanaged<Pane>.fromOpaque(owner).takeUnretainedValue()
    unsafe pane.painter.paint(
      pane.picture, width: Int(pane.width), height: Int(pane.height), on: context)
  }
}
