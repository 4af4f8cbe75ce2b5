/// udev's `LIBINPUT_CALIBRATION_MATRIX`: the first two rows of a matrix that is applied to
/// normalised positions (libinput: `device-configuration-via-udev.rst`). `0 -1 1 1 0 0` rotates by
/// 90 degrees.
public struct CalibrationMatrix: Hashable, Sendable {
  /// a b c d e f: x' = a x + b y + c, y' = d x + e y + f.
  public let values: [Double]

  public static let identity = CalibrationMatrix(values: [1, 0, 0, 0, 1, 0])

  private init(values: [Double]) { self.values = values }

  /// - Parameter text: six decimal numbers, separated by white space.
  /// - Returns: nil for any other text, and for NaN and infinities.
  public init?(_ text: some StringProtocol) {
    let words = text.split(whereSeparator: \.isWhitespace)
    // Swift's numbers may also be hexadecimal, or end with a NUL.
    guard words.allSatisfy({ $0.allSatisfy("+-.0123456789eE".contains) }) else { return nil }
    let values = words.compactMap { Double($0) }
    guard words.count == 6, values.count == 6, values.allSatisfy(\.isFinite) else { return nil }
    self.values = values
  }

  func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (values[0] * x + values[1] * y + values[2], values[3] * x + values[4] * y + values[5])
  }
}
