internal import CGTK
internal import COverlay
internal import TouchFeedback

/// X servers, with or without a compositing manager.
@safe final class X11: Backend {
  var closed: (() -> Void)?
  private let screen: OpaquePointer

  private let takesInput: Bool

  init(screen: OpaquePointer, takesInput: Bool) {
    unsafe self.screen = screen
    self.takesInput = takesInput
  }

  var surface: Surface { unsafe gdk_screen_is_composited(screen) != 0 ? .translucent : .opaque }

  var caution: String? { nil }

  func makePane(on output: Output, _ tick: @escaping (any Pane) -> Bool) -> any Pane {
    PopupPane(on: output, surface, takesInput: takesInput, tick)
  }

  func makeShield(on output: Output, _ handler: @escaping (Shield.Event) -> Void) -> Shield {
    Shield(on: output, isX11: true, handler)
  }
}
