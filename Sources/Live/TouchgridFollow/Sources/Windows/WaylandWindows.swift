internal import CWindows
internal import LinuxIO

/// The windows of a Wayland compositor that supports wlr-foreign-toplevel-management: sway, labwc,
/// wayfire and others.
@safe final class WaylandWindows: WindowSystem {
  static let name = "the Wayland compositor"

  private let toplevels: OpaquePointer

  init() throws(WindowSystemRefusal) {
    var refusal = TOUCHGRID_NO_COMPOSITOR
    guard let toplevels = unsafe touchgrid_toplevels_open(&refusal) else {
      throw WindowSystemRefusal(
        reason: refusal == TOUCHGRID_NO_PROTOCOL
          ? "this Wayland compositor does not report its windows: it does not support "
            + "wlr-foreign-toplevel-management (sway, labwc and wayfire do; GNOME, KDE and cage do not)"
          : "no Wayland compositor answers at "
            + (Environment.value("WAYLAND_DISPLAY").map { "WAYLAND_DISPLAY=\($0)" }
              ?? "wayland-0 (WAYLAND_DISPLAY is not set)")
      )
    }
    unsafe self.toplevels = toplevels
  }

  deinit { unsafe touchgrid_toplevels_close(toplevels) }

  var descriptor: Int32 { unsafe touchgrid_toplevels_descriptor(toplevels) }

  func readPending() -> Bool? {
    let outcome = unsafe touchgrid_toplevels_take(toplevels)
    return outcome < 0 ? nil : outcome > 0
  }

  /// Always false: `windows` waits for no reply, so no events can arrive together with one.
  var hasNews: Bool { false }

  var windows: [ShownWindow] {
    unsafe collectWindows { body, context in
      unsafe touchgrid_toplevels_shown(toplevels, body, context)
    }
  }

  var modes: [DisplayMode] {
    var modes: [DisplayMode] = []
    unsafe withUnsafeMutablePointer(to: &modes) { modes in
      unsafe touchgrid_toplevels_modes(
        toplevels,
        { context, output, width, height in
          guard let output = unsafe output else { return }
          let mode = unsafe DisplayMode(
            display: String(cString: output),
            size: DisplayMode.Size(width: Int(width), height: Int(height)))
          unsafe context?.assumingMemoryBound(to: [DisplayMode].self).pointee.append(mode)
        }, modes)
    }
    return modes
  }
}

/// Collects the windows that a function reports one by one.
func collectWindows(
  _ tell: (touchgrid_window_body, UnsafeMutableRawPointer) -> Void
) -> [ShownWindow] {
  var windows: [ShownWindow] = []
  unsafe withUnsafeMutablePointer(to: &windows) { windows in
    unsafe tell(
      { context, output, app, title, isFullScreen in
        guard let app = unsafe app, let title = unsafe title else { return }
        let window = unsafe ShownWindow(
          output: output.map { unsafe String(cString: $0) }, app: String(cString: app),
          title: String(cString: title), isFullScreen: isFullScreen != 0)
        unsafe context?.assumingMemoryBound(to: [ShownWindow].self).pointee.append(window)
      }, windows)
  }
  return windows
}
