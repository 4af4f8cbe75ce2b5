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
}
