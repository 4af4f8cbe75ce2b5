internal import CGTK
internal import COverlay
internal import TouchFeedback

/// A transparent window over an output, or over parts of it, that takes touches and clicks away
/// from all other programs. Only a lock screen lies above it. The desktop removes it when its last
/// owner releases it, and when this process ends in whatever way.
@safe final class Shield {
  enum Event: Equatable {
    /// The window is there, and takes input.
    case appeared
    /// A finger or a button is down. The number identifies it until it is up.
    case began(UInt)
    case ended(UInt)
    /// The desktop has closed the window, so that a new one must replace it.
    case closed
  }

  let output: Output
  private(set) var isClosed = false
  /// Whether it takes input already.
  private(set) var isThere = false
  /// The parts of the output that it covers; nil for the whole output.
  var areas: [Area]? {
    didSet { if areas != oldValue { limitInput() } }
  }

  private let handler: (Event) -> Void
  private var window: UnsafeMutablePointer<GtkWidget>?
  /// The watch for windows that appear above this one, on X11.
  private var notice: OpaquePointer?
  private var appearance: Source?

  init(
    on output: Output, isX11: Bool, _ handler: @escaping (Event) -> Void
  ) {
    self.output = output
    self.handler = handler
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    if isX11 {
      unsafe window = touchgrid_x11_shield_new()
      unsafe touchgrid_window_watch_input(window, Self.input, owner)
      unsafe touchgrid_x11_shield_show(window, output.place)
      unsafe notice = touchgrid_x11_watch(window, Self.changed, owner)
      appear()
    } else {
      unsafe window = touchgrid_window_new(0, 1, 1, Self.drawn, owner)
      unsafe touchgrid_window_watch_close(window, Self.close, owner)
      unsafe touchgrid_window_watch_input(window, Self.input, owner)
      unsafe touchgrid_window_layer(window, output.monitor.pointer, 1)
      unsafe gtk_widget_show(window)
    }
  }

  deinit {
    if let notice = unsafe notice { unsafe touchgrid_x11_unwatch(notice) }
    if let window = unsafe window { unsafe gtk_widget_destroy(window) }
  }

  private func limitInput() {
    guard let areas else {
      unsafe touchgrid_window_limit_input(window, nil)
      return
    }
    unsafe Region(areas).use { unsafe touchgrid_window_limit_input(window, $0) }
  }

  /// Reports the appearance once, after GTK has sent the window.
  private func appear() {
    guard appearance == nil else { return }
    appearance = Source(afterMilliseconds: 0) { [unowned self] in
      isThere = true
      handler(.appeared)
    }
  }

  private static func shield(_ owner: UnsafeMutableRawPointer?) -> Shield? {
    unsafe owner.map { unsafe Unmanaged<Shield>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let drawn: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = {
    owner, context in
    guard let context = unsafe context else { return }
    unsafe Painter(surface: .translucent).clear(context)
    unsafe shield(owner)?.appear()
  }

  private static let input: @convention(c) (UnsafeMutableRawPointer?, UInt, Int32) -> Void = {
    owner, contact, isDown in
    unsafe shield(owner)?.handler(isDown != 0 ? .began(contact) : .ended(contact))
  }

  private static let close: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
    guard let shield = unsafe shield(owner) else { return }
    shield.isClosed = true
    shield.handler(.closed)
  }

  private static let changed: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
    guard let shield = unsafe shield(owner) else { return }
    _ = unsafe touchgrid_x11_raise(shield.window)
  }
}
