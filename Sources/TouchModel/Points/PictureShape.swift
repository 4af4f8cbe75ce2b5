extension DisplayGeometry {
  /// The most times that a picture may be larger than what it shows.
  private static let pictureFactors = 1...16

  /// Whether a picture of so many pixels can be of what the person sees on this display, whole and
  /// undistorted: it is as large in pixels or in points, or a whole number of times as large, to
  /// within a pixel of rounding. A picture whose sides merely have nearly this ratio, as a browser's
  /// window may have, would be stretched, and touches would not lie where people touched.
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
