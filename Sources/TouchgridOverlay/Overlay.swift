internal import CGTK
public import TouchFeedback
internal import TouchgridAPI

/// Draws live touches above everything else, and takes no input.
public struct Overlay: ~Copyable {
  private let style: BubbleStyle

  public init(style: BubbleStyle) { self.style = style }
}
