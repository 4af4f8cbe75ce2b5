public import TouchModel

extension Configuration {
  /// `[[device]]`: what holds for the devices of one key or name. nil leaves to the daemon what is
  /// not said.
  public struct DeviceRule: Sendable, Hashable {
    /// The whole key or name, with `*` for any characters and `?` for one. No two rules have the same.
    public var match: String
    /// The device is not read.
    public var ignore = false
    /// The name of the display that it lies on: of a `[[display]]`, or of a connector.
    public var display: String?
    /// Raw units, in place of the range that the kernel tells.
    public var x: Placement.Range?
    public var y: Placement.Range?
    /// In place of udev's `LIBINPUT_CALIBRATION_MATRIX`; it can be inverted.
    public var calibration: CalibrationMatrix?

    public init(match: String) { self.match = match }

    /// Takes time in proportion to the product of both lengths at the most.
    func matches(_ text: String) -> Bool {
      let pattern = Array(match)
      let text = Array(text)
      var next = 0
      var position = 0
      // Where to go on after a mismatch: the last star takes one character more.
      var retry: (pattern: Int, text: Int)?
      while position < text.count {
        if next < pattern.count, pattern[next] == "*" {
          next += 1
          retry = (next, position)
        } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[position] {
          next += 1
          position += 1
        } else if let last = retry {
          next = last.pattern
          position = last.text + 1
          retry = (next, position)
        } else {
          return false
        }
      }
      return pattern[next...].allSatisfy { $0 == "*" }
    }
  }

  /// `[[display]]`: the shape of one logical output.
  public struct Display: Sendable, Hashable {
    /// Pixels of the panel before rotation, 1...16,384.
    public struct Size: Sendable, Hashable {
      public var width: Int
      public var height: Int
      public init(width: Int, height: Int) {
        self.width = width
        self.height = height
      }
    }

    public var name: String
    /// nil: as the connector of that name says.
    public var size: Size?
    /// Pixels per point, 0.25...16.
    public var scale = 1.0
    public var rotation = Rotation.none

    public init(name: String) { self.name = name }

    /// - Returns: nil where no size is configured, or the grid would have too many blocks; the latter
    ///   does not come from a file.
    public func geometry(blockSize: Int) -> DisplayGeometry? {
      size.flatMap {
        DisplayGeometry(
          pixelWidth: $0.width, pixelHeight: $0.height, scale: scale, rotation: rotation,
          blockSize: blockSize)
      }
    }
  }
}
