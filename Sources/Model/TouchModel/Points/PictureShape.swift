extension DisplayGeometry {
  /// The factors by which a picture may be larger than the display.
  private static let pictureFactors = 1...16

  /// Whether a picture of this size, in pixels, can show the whole display undistorted. It must
  /// have the display's size in pixels or in points, or a whole multiple of it, to within a pixel
  /// of rounding. A picture with only nearly the same ratio, as a browser's window may have, would
  /// be stretched, and touches would appear in the wrong places.
  public func agreesWithPicture(width: Int, height: Int) -> Bool {
    [1, scale].contains { pixels in
      let (across, down) = (self.width * pixels, self.height * pixels)
      return Self.pictureFactors.contains { factor in
        abs(across * Double(factor) - Double(width)) <= 1
          && abs(down * Double(factor) - Double(height)) <= 1
      }
    }
  }
}
