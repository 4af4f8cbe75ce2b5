internal import Text
public import TouchModel

extension Configuration {
  /// `[[device]]`: settings for the devices with one key or name. A nil property leaves the choice
  /// to the daemon.
  public struct DeviceRule: Sendable, Hashable {
    /// A pattern for the whole key or name: `*` matches any number of characters, `?` exactly one.
    /// No two rules have the same pattern.
    public var match: String
    /// Whether the device is not read.
    public var ignore = false
    /// The display that the device lies on: the name of a `[[display]]` or of a connector.
    public var display: String?
    /// The range of each axis in raw units; nil: the kernel's range.
    public var x: Placement.Range?
    public var y: Placement.Range?
    /// Replaces udev's `LIBINPUT_CALIBRATION_MATRIX`. The matrix is invertible.
    public var calibration: CalibrationMatrix?

    public init(match: String) { self.match = match }

    func matches(_ text: String) -> Bool { text.matches(wildcards: match) }
  }

  /// `[[display]]`: the geometry of one display.
  public struct Display: Sendable, Hashable {
    /// The size in pixels before rotation, each side 1...16,384.
    public struct Size: Sendable, Hashable {
      public var width: Int
      public var height: Int
    }

    public var name: String
    /// The size in pixels. If nil, the mode that a client reports for the display applies,
    /// otherwise the size of the connector with the display's name; if there is neither, the size
    /// is that of another panel on the display, or is guessed from the touchscreen's axes.
    public var size: Size?
    /// Pixels per point, 0.25...16.
    public var scale = 1.0
    public var rotation = Rotation.none
    /// The size of the visible area before rotation. If nil, the size that the connected monitor
    /// reports applies.
    public var panelSize: PanelSize?
    /// The height of the lower edge of the picture above the floor, in mm; nil if it is unknown.
    public var bottom: Double?

    public init(name: String) { self.name = name }

    /// Returns the geometry of the display; nil if no size is configured or if the grid would have
    /// too many blocks. `Configuration.init` rejects files with too many blocks.
    public func geometry(blockSize: Int) -> DisplayGeometry? {
      size.flatMap {
        DisplayGeometry(
          pixelWidth: $0.width, pixelHeight: $0.height, scale: scale, rotation: rotation,
          blockSize: blockSize)
      }
    }
  }
}
