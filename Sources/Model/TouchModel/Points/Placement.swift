internal import Text

/// The source of a fact about a device or a display.
public enum Source: String, Sendable, CaseIterable {
  case configuration
  case udev
  case kernel
  case wlOutput = "WL_OUTPUT"
  case drm
  case client
  case guess
}

/// The place of a device on a display: all values that turn a raw position into a point and a
/// block, with the source of each. Part of the device's status and of every stored grid.
public struct Placement: Hashable, Sendable {
  /// The range of an axis in raw units, both ends included; `minimum < maximum`.
  public struct Range: Hashable, Sendable {
    public var minimum: Int32
    public var maximum: Int32
    public init(minimum: Int32, maximum: Int32) {
      self.minimum = minimum
      self.maximum = maximum
    }
    func contains(_ value: Int32) -> Bool { minimum <= value && value <= maximum }

    /// Normalises a value by libinput's rule: with the + 1, the maximum itself stays below 1.
    public func normalised(_ value: Int32) -> Double {
      (Double(value) - Double(minimum)) / (Double(maximum) - Double(minimum) + 1)
    }
  }

  /// The device's stable key.
  public var device: String
  public var x: Range
  public var y: Range
  public var rangeSource: Source
  public var matrix: CalibrationMatrix
  public var matrixSource: Source
  /// The display's name.
  public var display: String
  public var geometry: DisplayGeometry
  /// The source of the assignment to this display.
  public var displaySource: Source
  public var geometrySource: Source

  public init(
    device: String, x: Range, y: Range, rangeSource: Source = .kernel,
    matrix: CalibrationMatrix = .identity, matrixSource: Source = .udev,
    display: String, geometry: DisplayGeometry, displaySource: Source,
    geometrySource: Source? = nil
  ) {
    self.device = device
    self.x = x
    self.y = y
    self.rangeSource = rangeSource
    self.matrix = matrix
    self.matrixSource = matrixSource
    self.display = display
    self.geometry = geometry
    self.displaySource = displaySource
    self.geometrySource = geometrySource ?? displaySource
  }

  /// The position on the display for a raw position.
  public struct Location: Hashable, Sendable {
    /// Within the display: 0 <= x < width, 0 <= y < height.
    public var point: Point
    public var block: Block
    /// Whether the raw position was outside the range, or calibrated to a point outside the
    /// display.
    public var isClamped: Bool
  }

  public func locate(rawX: Int32, rawY: Int32) -> Location {
    Locator(self).locate(rawX: rawX, rawY: rawY)
  }
}

/// udev's `LIBINPUT_CALIBRATION_MATRIX`: the first two rows of a matrix that is applied to
/// normalised positions (libinput: `device-configuration-via-udev.rst`). `0 -1 1 1 0 0` rotates by
/// 90 degrees.
public struct CalibrationMatrix: Hashable, Sendable {
  // Not an array: applying the matrix would check the six indices.
  let (a, b, c, d, e, f): (Double, Double, Double, Double, Double, Double)

  /// a b c d e f: x' = a x + b y + c, y' = d x + e y + f.
  public var values: [Double] { [a, b, c, d, e, f] }

  public static let identity = CalibrationMatrix(values: [1, 0, 0, 0, 1, 0])

  /// - Precondition: there are six values.
  private init(values: [Double]) {
    (a, b, c, d, e, f) = (values[0], values[1], values[2], values[3], values[4], values[5])
  }

  /// - Parameter text: six decimal numbers, separated by white space.
  /// - Returns: nil for any other text, and for NaN and infinities.
  public init?(_ text: some StringProtocol) {
    let words = text.split(whereSeparator: \.isWhitespace)
    // Swift also accepts hexadecimal numbers, and numbers that end with a NUL.
    guard words.allSatisfy({ $0.allSatisfy("+-.0123456789eE".contains) }) else { return nil }
    let values = words.compactMap { Double($0) }
    guard words.count == 6, values.count == 6, values.allSatisfy(\.isFinite) else { return nil }
    self.init(values: values)
  }

  /// - Parameter numbers: the six numbers, as in `values`.
  /// - Returns: nil for another count, and for NaN and infinities.
  public init?(numbers: [Double]) {
    guard numbers.count == 6, numbers.allSatisfy(\.isFinite) else { return nil }
    self.init(values: numbers)
  }

  /// The six numbers as text, in the form of udev and the configuration.
  public var text: String { values.map(shortestDigits).joined(separator: " ") }

  /// Negative if the matrix mirrors.
  public var determinant: Double { a * e - b * d }

  /// Applies the matrix to a normalised position.
  @inline(__always)
  public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (a * x + b * y + c, d * x + e * y + f)
  }
}
