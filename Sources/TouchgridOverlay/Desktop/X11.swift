internal import CGTK
internal import COverlay
internal import TouchFeedback

/// X servers, with a compositing manager or without.
@safe final class X11: Backend {
  private let screen: OpaquePointer

  init(screen: OpaquePointer) { unsafe self.screen = screen }

  var surface: Surface { unsafe gdk_screen_is_composited(screen) != 0 ? .translucent : .opaque }

  func makeWindow(
    on output: Output, _ draw: @escaping Drawing, _ owner: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<GtkWidget>? {
    let window = unsafe touchgrid_window_new(1, surface == .translucent ? 1 : 0, draw, owner)
    unsafe touchgrid_window_place(window, output.place)
    if surface == .opaque { unsafe touchgrid_window_shape(window, Region([]).pointer) }
    return unsafe window
  }

  /// A window that is new is on top of all, lock screens included: there is nothing to be seen of it yet.
  func settle(_ pane: Pane) { unsafe touchgrid_x11_settle(pane.widget) }

  func admit(_ picture: Picture, after old: Picture, on pane: Pane) -> Picture {
    var picture = picture
    if !picture.isEmpty, unsafe touchgrid_x11_raise(pane.widget) == 0 { picture = .nothing }
    if pane.surface == .opaque, picture != old {
      let region = Painter(surface: .opaque).region(
        of: picture, width: Int(pane.width), height: Int(pane.height))
      unsafe touchgrid_window_shape(pane.widget, region.pointer)
    }
    return picture
  }
}
