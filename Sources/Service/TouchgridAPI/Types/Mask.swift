internal import Text
package import TouchModel

extension API.Rectangle {
  /// Creates the value from the model's rectangle.
  package init(_ rectangle: TouchModel.Rectangle) {
    self.init(x: rectangle.x, y: rectangle.y, width: rectangle.width, height: rectangle.height)
  }

  /// The model's rectangle. nil if a number is not finite, or if the width or height is not
  /// positive.
  package var rectangle: TouchModel.Rectangle? {
    TouchModel.Rectangle(x: x, y: y, width: width, height: height)
  }
}

extension API.GetMasks.Reply {
  /// Returns whether a screen is masked, wholly or in part, on any display.
  package func concerns(_ screen: String) -> Bool {
    everything
      || (configured + added + widened).contains { ExactName($0.screen) == ExactName(screen) }
  }
}
