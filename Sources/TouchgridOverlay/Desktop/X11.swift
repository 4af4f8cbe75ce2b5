internal import CGTK
internal import COverlay
internal import TouchFeedback

/// X servers, with a compositing manager or without.
@safe final class X11: Backend {
  private let screen: OpaquePointer

  init(screen: OpaquePointer) { unsafe self.screen = screen }

  var surface: Surface { unsafe gdk_screen_is_composited(screen) != 0 ? .translucent : .opaque }

  func makeWindow(
    on output: Output, _ draw: @escaping @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?)
      -> Void, _ owner: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<GtkWidget>? {
    let window = unsafe touchgrid_window_new(1, surface == .translucent ? 1 : 0, draw, owner)
    unsafe touchgrid_window_place(window, output.place)
    if surface == .opaque { unsafe touchgrid_window_shape(window, Region([]).pointer) }
    return unsafe window
  }

  func admit(_ picture: Picture, after old: Picture, on pane: Pane) -> Picture { picture }
}
