import ConfigurationFiles
import Text
import TouchModel
import TouchgridAPI

/// A calibration matrix that `touchgrid calibrate` writes into the configuration.
struct SavedCalibration {
  let matrix: CalibrationMatrix
  let touchscreen: API.Device
  /// All touchscreens that the daemon reads.
  let all: [API.Device]
  let path: String
  let socket: SocketOption

  private var name: String { path.printable(limit: 4096) }
  private var line: String { "calibration = \(tomlString(matrix.text))" }

  func save() throws {
    let change = SavedChange(path: path)
    try change.locked { file in
      let text = try change.edit { try edited(file.editor) }
      try change.write(try file.checked(text).0)
      try writeLines([
        "wrote to \(name): calibration = \"\(matrix.text)\" for \(touchscreen.key.printable(limit: 300))"
      ])
      _ = try change.reload(socket) { daemon in
        let device = try daemon.call(API.GetDevices()).devices.first { $0.key == touchscreen.key }
        // A disconnected touchscreen gets the matrix when it is connected again.
        guard let device else { return true }
        return device.matrixSource == .configuration && device.calibration == matrix
      }
    }
  }

  /// Throws the errors that `save` would throw, and changes nothing.
  func check() throws {
    let change = SavedChange(path: path)
    try change.locked { file in _ = try change.edit { try edited(file.editor) } }
  }

  /// Returns the text with the matrix in the `[[device]]` that the daemon uses for the touchscreen,
  /// or in a new one.
  func edited(_ editor: TableEditor) throws -> String {
    let tables = try editor.elements("device")
    let patterns = tables.map { $0["match"]?.string ?? "" }
    guard let index = patterns.firstIndex(where: touchscreen.matches) else {
      return try editor.adding(
        ["match = \(tomlString(touchscreen.key))", line], to: "device")
    }
    let others = all.filter { $0.key != touchscreen.key && $0.matches(patterns[index]) }
    guard others.isEmpty else {
      throw Failure(
        """
        nothing was changed in \(name): its [[device]] with match = \(patterns[index].quoted) is also for \
        \(others.map { $0.key.printable(limit: 300) }.inOneLine). Put this above it:

        [[device]]
        match = \(tomlString(touchscreen.key))
        \(line)
        """)
    }
    return try editor.setting("calibration", index, of: "device", by: line)
  }
}

extension API.Device {
  /// Whether a `[[device]]` with this pattern applies to this touchscreen.
  fileprivate func matches(_ pattern: String) -> Bool {
    key.matches(wildcards: pattern) || name.matches(wildcards: pattern)
  }
}
