public import TouchModel

extension API {
  /// The source of a value about a device or a display, such as udev or the configuration.
  public typealias Source = TouchModel.Source

  /// The range of one axis of a device, in raw units of the device, including both ends.
  public struct Range: Codable, Hashable, Sendable {
    /// The lowest value; below `maximum`.
    public var minimum: Int64
    /// The highest value.
    public var maximum: Int64

    /// Creates a value with these members.
    package init(minimum: Int64, maximum: Int64) {
      self.minimum = minimum
      self.maximum = maximum
    }

    /// Creates the range from that of a placement.
    package init(_ range: Placement.Range) {
      self.init(minimum: Int64(range.minimum), maximum: Int64(range.maximum))
    }

    /// Returns the range with further values; nil if it holds them already.
    fileprivate func extended(to values: ClosedRange<Int32>) -> Range? {
      let (low, high) = (Int64(values.lowerBound), Int64(values.upperBound))
      if low >= minimum, high <= maximum { return nil }
      return Range(minimum: min(minimum, low), maximum: max(maximum, high))
    }
  }

  /// How a device reports its contacts.
  public enum ContactProtocol: String, CaseIterable, Codable, Sendable {
    /// `slots`: in numbered slots, multitouch protocol B. `anonymous`: several contacts without
    /// numbers, multitouch protocol A. `single`: one contact.
    case slots, anonymous, single

    /// Creates the value from the model's kind.
    package init(_ kind: TouchModel.ContactProtocol.Kind) {
      switch kind {
      case .slots: self = .slots
      case .anonymous: self = .anonymous
      case .single: self = .single
      }
    }
  }

  /// Counters of a device since the daemon opened it. In `GetStatus`: of all devices since the
  /// daemon started.
  public struct DeviceTally: Codable, Hashable, Sendable {
    /// Touches that began.
    public var touches: Int64
    /// How often the kernel dropped events (`SYN_DROPPED`). The daemon may have missed touches
    /// then.
    public var drops: Int64
    /// Touches that look like ghosts: no motion, no duration, the same position, in a regular
    /// rhythm.
    public var suspectedGhosts: Int64
    /// Touches of a virtual device that repeat those of a real touchscreen.
    public var echoes: Int64
    /// Touches that count for no session: they began while recording was paused, or while no
    /// session was running and they could not begin one.
    public var unrecorded: Int64

    /// Creates a value with these members.
    package init(
      touches: Int64 = 0, drops: Int64 = 0, suspectedGhosts: Int64 = 0, echoes: Int64 = 0,
      unrecorded: Int64 = 0
    ) {
      self.touches = touches
      self.drops = drops
      self.suspectedGhosts = suspectedGhosts
      self.echoes = echoes
      self.unrecorded = unrecorded
    }
  }

  /// A touchscreen that the daemon reads.
  public struct Device: Codable, Hashable, Sendable {
    /// The key of the device. It is unique among the devices that the daemon reads, and stays the
    /// same when the device is plugged in again.
    public var key: String
    /// The device node, such as `/dev/input/event3`; nil in the replay of a recording.
    public var node: String?
    /// The name that the device gives itself, printable.
    public var name: String
    /// How the device reports its contacts.
    public var contactProtocol: ContactProtocol
    /// The highest number of simultaneous contacts that the daemon follows: 1 to 256.
    public var slots: Int
    /// The range of the x axis.
    public var x: Range
    /// The range of the y axis.
    public var y: Range
    /// The values of `x` and those beyond that the device has sent, outside of masks. nil if it has
    /// sent none beyond.
    public var sentX: Range?
    /// The same for the y axis.
    public var sentY: Range?
    /// The source of the ranges.
    public var rangeSource: Source
    /// The calibration matrix that the daemon applies to normalised coordinates: six numbers, the
    /// first two rows of the matrix, row by row.
    public var matrix: [Double]
    /// The source of the matrix.
    public var matrixSource: Source
    /// The name of the display that the device lies on.
    public var display: String
    /// The source of the display's name.
    public var displaySource: Source
    /// Whether a program made the device through uinput.
    public var isVirtual: Bool
    /// The number of touches that are down, excluding masked ones.
    public var touchesDown: Int
    /// The number of contacts that are down according to the kernel but have sent no events for
    /// half a second, which means that another program has grabbed the device (`EVIOCGRAB`). nil if
    /// the kernel does not report contacts of this device.
    public var unheardContacts: Int?
    /// How long the device has sent no event, in ms, rounded down to whole minutes. nil if it has
    /// not sent any yet.
    public var silentForMs: Int64?
    /// The counters of the device since it was opened.
    public var tally: DeviceTally

    /// Creates a value with these members.
    /// - Parameters:
    ///   - placement: provides the key, and the ranges, the matrix and the display with their
    ///     sources.
    ///   - clampedExtent: the extent of the raw positions that were clamped.
    package init(
      placement: Placement, node: String?, name: String, contactProtocol: ContactProtocol,
      slots: Int, isVirtual: Bool, touchesDown: Int, unheardContacts: Int?, silentForMs: Int64?,
      tally: DeviceTally, clampedExtent: RawExtent? = nil
    ) {
      key = placement.device
      self.node = node
      self.name = name
      self.contactProtocol = contactProtocol
      self.slots = slots
      x = Range(placement.x)
      y = Range(placement.y)
      if let clampedExtent {
        sentX = x.extended(to: clampedExtent.x)
        sentY = y.extended(to: clampedExtent.y)
      }
      rangeSource = placement.rangeSource
      matrix = placement.matrix.values
      matrixSource = placement.matrixSource
      display = placement.display
      displaySource = placement.displaySource
      self.isVirtual = isVirtual
      self.touchesDown = touchesDown
      self.unheardContacts = unheardContacts
      self.silentForMs = silentForMs
      self.tally = tally
    }
  }

  /// A device that udev classifies as a touchscreen, but the daemon does not read.
  public struct RefusedDevice: Codable, Hashable, Sendable {
    /// The device node, such as `/dev/input/event3`.
    public var node: String
    /// The name that the device gives itself, printable.
    public var name: String
    /// Why the daemon does not read it, as text for a person.
    public var reason: String

    /// Creates a value with these members.
    package init(node: String, name: String, reason: String) {
      self.node = node
      self.name = name
      self.reason = reason
    }
  }
}

extension TouchModel.Source: Codable {}
