import Text
import TouchModel

/// A calibration matrix in the formats of compositors. The values are the daemon's: libinput
/// normalises positions in the same way, and the compositor rotates the picture afterwards.
struct CompositorCalibration {
  let name: String
  let identifiers: DeviceIdentifiers
  let matrix: CalibrationMatrix

  /// A rule for udev. It sets the initial matrix of libinput, and of the daemon unless it is
  /// configured.
  var udevRule: String {
    func id(_ value: UInt16) -> String { padded(value, 4, radix: 16) }
    // In a udev rule, some characters end the text, and others are wildcards.
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII && $0.properties.generalCategory != .control
        && !"\"\\*?[]|".unicodeScalars.contains($0)
    }
    let names = isPlain && !name.isEmpty ? "ATTRS{name}==\"\(name)\", " : ""
    return """
      ACTION!="remove", KERNEL=="event[0-9]*", ENV{ID_INPUT_TOUCHSCREEN}=="1", \(names)ATTRS{id/vendor}=="\(id(identifiers.vendor))", \
      ATTRS{id/product}=="\(id(identifiers.product))", ENV{LIBINPUT_CALIBRATION_MATRIX}="\(matrix.text)"
      """
  }

  /// A line for sway's configuration.
  var swayLine: String {
    // sway's `input_device_get_identifier`.
    let bytes = self.name.trimmed.utf8.map { (0x21...0x7e).contains($0) ? $0 : UInt8(ascii: "_") }
    let name = String(decoding: bytes, as: UTF8.self)
    let device = "\(identifiers.vendor):\(identifiers.product):\(name)"
    return "input \"\(device)\" calibration_matrix \(matrix.text)"
  }

  /// A command for X servers.
  var xinputCommand: String {
    "xinput set-prop '\(name.replacing("'", with: "'\\''"))' 'libinput Calibration Matrix' "
      + "\(matrix.text) 0 0 1"
  }
}
