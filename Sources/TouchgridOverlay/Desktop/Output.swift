internal import CGTK
internal import COverlay

/// One output of the desktop, as it is now.
@safe struct Output {
  let monitor: Monitor
  /// Its connector, such as `HDMI-A-1`; nil where the desktop does not tell.
  let name: String?
  /// Its place among the others, in points of the desktop.
  let place: GdkRectangle
  let scale: Int32

  static func all(of display: OpaquePointer) -> [Output] {
    let count = unsafe gdk_display_get_n_monitors(display)
    return (0..<max(count, 0)).compactMap { index in
      guard let monitor = unsafe gdk_display_get_monitor(display, index) else { return nil }
      var place = GdkRectangle()
      unsafe gdk_monitor_get_geometry(monitor, &place)
      // A monitor is there before its size is: its notice comes with it.
      guard place.width > 0, place.height > 0 else { return nil }
      let text = unsafe touchgrid_monitor_connector(display, index)
      defer { unsafe g_free(text) }
      let name = unsafe text.map { unsafe String(cString: $0) }
      return unsafe Output(
        monitor: Monitor(monitor), name: name, place: place,
        scale: gdk_monitor_get_scale_factor(monitor))
    }
  }

  /// Whether a window for the one serves the other.
  func isSame(as other: Output) -> Bool {
    monitor.isSame(as: other.monitor) && place.x == other.place.x && place.y == other.place.y
      && place.width == other.place.width && place.height == other.place.height
      && scale == other.scale
  }

  var words: Advice.Output {
    Advice.Output(name: name, width: Double(place.width), height: Double(place.height))
  }
}

/// A `GdkMonitor`, which may outlast its output: no other is at its address as long as we compare it.
@safe final class Monitor {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    unsafe self.pointer = pointer
    unsafe g_object_ref(UnsafeMutableRawPointer(pointer))
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }

  func isSame(as other: Monitor) -> Bool { unsafe pointer == other.pointer }
}
