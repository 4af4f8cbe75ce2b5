internal import CGTK
internal import COverlay
internal import TouchFeedback

/// Wayland compositors that have the layer shell.
final class LayerShell: Backend {
  var surface: Surface { .translucent }

  func makeWindow(
    on output: Output, _ draw: @escaping Drawing, _ owner: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<GtkWidget>? {
    let window = unsafe touchgrid_window_new(0, 1, draw, owner)
    unsafe touchgrid_window_layer(window, output.monitor)
    return unsafe window
  }

  func settle(_ pane: Pane) {}

  /// The compositor keeps its lock screens above everything (ext-session-lock).
  func admit(_ picture: Picture, after old: Picture, on pane: Pane) -> Picture { picture }
}
