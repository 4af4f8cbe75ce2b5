internal import CGTK
internal import COverlay

/// A source of events in the main loop. It is removed when its owner releases it.
final class Source {
  private let isOnce: Bool
  private let body: () -> Void
  private var number: UInt32 = 0

  /// Calls `body` whenever a descriptor is readable or has failed.
  init(descriptor: Int32, _ body: @escaping () -> Void) {
    (isOnce, self.body) = (false, body)
    unsafe number = touchgrid_watch(
      descriptor, Self.notice, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Calls `body` once, after the given time.
  init(afterMilliseconds milliseconds: Int, _ body: @escaping () -> Void) {
    (isOnce, self.body) = (true, body)
    unsafe number = touchgrid_timer(
      UInt32(clamping: milliseconds), Self.notice, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { if number != 0 { g_source_remove(number) } }

  private static let notice: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
    guard let owner = unsafe owner else { return }
    let source = unsafe Unmanaged<Source>.fromOpaque(owner).takeUnretainedValue()
    // GLib itself removes a timer that has fired.
    if source.isOnce { source.number = 0 }
    source.body()
  }
}

/// A connection to a signal of a GObject. It ends when its owner releases it.
@safe final class SignalConnection {
  private let instance: UnsafeMutableRawPointer
  private let body: () -> Void
  private var number: UInt = 0

  init(_ instance: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping () -> Void) {
    unsafe self.instance = instance
    self.body = body
    unsafe g_object_ref(instance)
    unsafe number = touchgrid_signal_connect(
      instance, signal, Self.notice, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    unsafe touchgrid_signal_disconnect(instance, number)
    unsafe g_object_unref(instance)
  }

  private static let notice: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
    guard let owner = unsafe owner else { return }
    unsafe Unmanaged<SignalConnection>.fromOpaque(owner).takeUnretainedValue().body()
  }
}
