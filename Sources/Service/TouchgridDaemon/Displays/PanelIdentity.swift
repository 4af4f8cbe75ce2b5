public import TouchModel

/// The facts known about a panel, from a real device or a recording, before it is assigned to a
/// display.
public struct PanelIdentity: Sendable {
  /// A key that stays the same when the device is plugged in again.
  public var key: String
  /// The name that the device reports.
  public var name: String
  public var contactProtocol: ContactProtocol
  /// udev's `LIBINPUT_CALIBRATION_MATRIX`, unparsed.
  public var calibration: String?
  /// udev's `WL_OUTPUT`: the output that the panel belongs to.
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
