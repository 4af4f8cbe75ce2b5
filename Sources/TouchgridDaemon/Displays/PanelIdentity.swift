public import TouchModel

/// What is known of a panel before it is laid on a display: of a real device or of a recording.
public struct PanelIdentity: Sendable {
  /// Stable across plugging.
  public var key: String
  /// The device's own words.
  public var name: String
  public var contactProtocol: ContactProtocol
  /// `LIBINPUT_CALIBRATION_MATRIX`, as udev has it.
  public var calibration: String?
  /// `WL_OUTPUT`.
  public var output: String?

  public init(
    key: String, name: String, contactProtocol: ContactProtocol, calibration: String? = nil,
    output: String? = nil
  ) {
    self.key = key
    self.name = name
    self.contactProtocol = contactProtocol
    self.calibration = calibration
    self.output = output
  }
}
