internal import CGTK
internal import TouchFeedback

/// Draws what a window shows; given its owner and a cairo context.
typealias Drawing = @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void

/// A kind of desktop: how a window comes above everything else there.
protocol Backend: AnyObject {
  /// What new windows are drawn on.
  var surface: Surface { get }

  /// A window over all of an output, without input; not yet shown.
  func makeWindow(
    on output: Output, _ draw: @escaping Drawing, _ owner: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<GtkWidget>?

  /// Called once, when the window has come.
  func settle(_ pane: Pane)

  /// What of a picture may be seen now; called before each that is shown, with the one that is seen.
  func admit(_ picture: Picture, after old: Picture, on pane: Pane) -> Picture
}
