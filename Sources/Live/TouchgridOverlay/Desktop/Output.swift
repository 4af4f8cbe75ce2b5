internal import CGTK
internal import COverlay

/// The current state of one output of the desktop.
@safe struct Output {
  let monitor: Monitor
  /// The connector, such as `HDMI-A-1`; nil if the desktop does not report it.
  let name: String?
  /// The rectangle of the output among all outputs, in points of the desktop.
  let place: GdkRectangle
  let scale: Int32

  static func all(of display: OpaquePointer) -> [Output] {
    let count = unsafe gdk_display_get_n_monitors(display)
    return (0..<max(count, 0)).compactMap { index in
      guard let monitor = unsafe gdk_display_get_monitor(display, index) else { return nil }
      var place = GdkRectangle()
      unsafe gdk_monitor_get_geometry(monitor, &place)
      // GDK reports a monitor before its size is known, and reports the size later.
      guard place.width > 0, place.height > 0 else { return nil }
      let text = unsafe touchgrid_monitor_connector(display, index)
      defer { unsafe g_free(text) }
      let name = unsafe text.map { unsafe String(cString: $0) }
      return unsafe Output(
        monitor: Monitor(monitor), name: name, place: place,
        scale: gdk_monitor_get_scale_factor(monitor))
    }
  }

  /// Returns whether a window for this output also serves the other.
  func isSame(as other: Output) -> Bool {
    monitor.isSame(as: other.monitor) && place.x == other.place.x && place.y == other.place.y
      && place.width == other.place.width && place.height == other.place.height
      && scale == other.scale
  }

  var words: Advice.Output {
    Advice.Output(name: name, width: Double(place.width), height: Double(place.height))
  }
}

/// Owns a `GdkMonitor`, which may outlive its output. While the monitor is owned, its address is
/// not reused, so addresses can be compared.
@safe final class Monitor {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    unsafe self.pointer = pointer
    unsafe g_object_ref(UnsafeMutableRawPointer(pointer))
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }

  func isSame(as other: Monitor) -> Bool { unsafe pointer == other.pointer }
}
