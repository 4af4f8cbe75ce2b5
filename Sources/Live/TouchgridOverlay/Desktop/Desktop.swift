internal import CGTK
internal import COverlay
internal import TouchFeedback

/// The desktop to draw on: its outputs, and notifications of their changes.
@safe final class Desktop {
  let backend: any Backend
  private let display: OpaquePointer
  private var notices: [SignalConnection] = []
  private var monitorNotices: [SignalConnection] = []
  private var changed: (() -> Void)?
  private var pending: Source?
  private var closing: Source?

  /// What a desktop is used for.
  enum Purpose: Sendable {
    /// Bubbles, which let all input through.
    case bubbles
    /// Scenes, which take all input.
    case scenes
    /// Shields, which take input and show nothing.
    case shields
  }

  init(
    _ choice: OverlayOptions.Backend, for purpose: Purpose = .bubbles
  ) throws(OverlayFailure) {
    let name = try choice.name()
    guard unsafe touchgrid_gtk_start(name) != 0, let display = unsafe gdk_display_get_default()
    else { throw .noDesktop(name) }
    unsafe self.display = display
    if name == "wayland" {
      // Check this here, because gtk-layer-shell would print its own warning.
      guard unsafe touchgrid_canvas_start(display) != 0 else {
        throw .noLayerShell(isForBubbles: purpose == .bubbles)
      }
      backend = LayerShell(takesInput: purpose == .scenes)
    } else {
      guard unsafe gdk_display_supports_shapes(display) != 0,
        unsafe gdk_display_supports_input_shapes(display) != 0
      else { throw .noShapes }
      backend = unsafe X11(
        screen: gdk_display_get_default_screen(display), takesInput: purpose == .scenes)
    }
  }

  var outputs: [Output] { unsafe Output.all(of: display) }

  /// Waits until the desktop has handled all requests.
  func synchronize() { unsafe gdk_display_sync(display) }

  /// Calls `changed`, after a short delay, when outputs appear, disappear or change, when a
  /// compositing manager starts or ends, or when a pane was closed.
  func watch(_ changed: @escaping () -> Void) {
    self.changed = changed
    backend.closed = { [unowned self] in
      // If the output disappears too, a notification of that follows anyway. The delay keeps a
      // compositor that closes every window from causing constant work.
      closing = Source(afterMilliseconds: 1000) { [unowned self] in notifyChange() }
    }
    let display = unsafe UnsafeMutableRawPointer(self.display)
    for signal in ["monitor-added", "monitor-removed"] {
      unsafe notices.append(
        SignalConnection(display, signal) { [unowned self] in
          watchMonitors()
          notifyChange()
        })
    }
    guard
      let screen = unsafe gdk_display_get_default_screen(self.display).map({
        unsafe UnsafeMutableRawPointer($0)
      })
    else { return }
    for signal in ["composited-changed", "monitors-changed", "size-changed"] {
      unsafe notices.append(SignalConnection(screen, signal) { [unowned self] in notifyChange() })
    }
    watchMonitors()
  }

  private func watchMonitors() {
    monitorNotices = []
    let count = unsafe gdk_display_get_n_monitors(display)
    for index in 0..<max(count, 0) {
      guard let monitor = unsafe gdk_display_get_monitor(display, index) else { continue }
      for property in ["geometry", "scale-factor", "model"] {
        unsafe monitorNotices.append(
          SignalConnection(UnsafeMutableRawPointer(monitor), "notify::\(property)") {
            [unowned self] in notifyChange()
          })
      }
    }
  }

  /// Calls `changed` once for all the notifications that one change of outputs causes.
  private func notifyChange() {
    pending = Source(afterMilliseconds: 20) { [unowned self] in
      pending = nil
      changed?()
    }
  }
}
