internal import ConfigurationFiles
internal import Text
import TouchModel

extension Configuration.Store {
  mutating func read(_ reader: inout SectionReader<Section>) {
    if let text = reader.text("path", "a path in quotes such as \"\(path)\"") {
      // `PATH_MAX` counts the NUL at the end.
      if let complaint = complaint(path: text, limit: 4095) {
        reader.report("path", "path \(complaint), not \(text.quoted)")
      } else {
        path = text
      }
    }
    checkpoint =
      reader.quantity("checkpoint", .duration, in: Quantity.second...600 * Quantity.second)
      ?? checkpoint
    keepSessions =
      reader.quantity("keep_sessions", .duration, in: Quantity.day...36_500 * Quantity.day)
      ?? keepSessions
    maxSize = reader.quantity("max_size", .size, in: 1 << 20...256 << 40) ?? maxSize
  }
}

/// Returns the error in a file's path; nil if the path is valid.
/// - Parameter limit: the maximum length in bytes.
func complaint(path: String, limit: Int) -> String? {
  // A relative path would depend on the daemon's working directory, which the user does not choose.
  if !path.hasPrefix("/") || path.hasSuffix("/") { return "must be the absolute path of a file" }
  if path.utf8.count > limit { return "must be at most \(limit) bytes long" }
  if !path.unicodeScalars.allSatisfy(\.isShown) { return "must be printable text" }
  return nil
}

extension Configuration.Session {
  mutating func read(_ reader: inout SectionReader<Section>) {
    mode = reader.choice("mode") ?? mode
    let idle = reader.quantity(
      "idle_timeout", .duration, in: Quantity.second...24 * Quantity.hour)
    let newMaxDuration = reader.quantity(
      "max_duration", .duration, in: 60 * Quantity.second...7 * Quantity.day)
    lateNames =
      reader.quantity("late_names", .duration, in: 0...5 * Quantity.second) ?? lateNames
    // If either value was rejected, the two are not compared: one error is enough.
    let areKnown = [("idle_timeout", idle), ("max_duration", newMaxDuration)].allSatisfy {
      $0.1 != nil || !reader.contains($0.0)
    }
    idleTimeout = idle ?? idleTimeout
    maxDuration = newMaxDuration ?? maxDuration
    if areKnown, maxDuration <= idleTimeout {
      let bounds = [maxDuration, idleTimeout].map { "\"\(Quantity.duration.write($0))\"" }
      let key = newMaxDuration == nil ? "idle_timeout" : "max_duration"
      reader.report(
        key, "max_duration, \(bounds[0]), must be longer than idle_timeout, \(bounds[1])")
    }
  }
}

extension Configuration.Grid {
  mutating func read(_ reader: inout SectionReader<Section>) {
    if let size = reader.integer("block_size", in: 1...256, ", a power of two") {
      if size & (size - 1) == 0 {
        blockSize = size
      } else {
        reader.report("block_size", "block_size must be a power of two such as 16, not \(size)")
      }
    }
    layers = reader.layers("layers") ?? layers
  }
}

extension Configuration.DeviceRule {
  /// Reads one `[[device]]` table, and reports the errors in all its keys.
  /// - Returns: nil if there is no valid `match`. Other invalid values keep their defaults.
  init?(_ reader: inout SectionReader<Section>) {
    let match = Self.match(&reader)
    self.init(match: match ?? "")
    ignore = reader.boolean("ignore") ?? ignore
    display = reader.name("display", such: "HDMI-A-1")
    x = reader.range("x")
    y = reader.range("y")
    calibration = Self.calibration(&reader)
    if match == nil { return nil }
  }

  private static func match(_ reader: inout SectionReader<Section>) -> String? {
    guard reader.contains("match") else {
      reader.report("match", "[[device]] needs a match: a device's key or name, or a pattern")
      return nil
    }
    let wanted = "a device's key or name in quotes such as \"ELAN*\""
    guard let match = reader.text("match", wanted) else { return nil }
    // A device's name may contain any character, so the pattern may too.
    guard !match.isEmpty, match.utf8.count <= 512 else {
      reader.report("match", "match must be 1 to 512 bytes long; \"*\" matches every device")
      return nil
    }
    return match
  }

  private static func calibration(_ reader: inout SectionReader<Section>) -> CalibrationMatrix? {
    let wanted = "six numbers in quotes such as \"1 0 0 0 1 0\""
    guard let text = reader.text("calibration", wanted) else { return nil }
    guard let matrix = CalibrationMatrix(text) else {
      reader.report("calibration", "calibration must be \(wanted), not \(text.quoted)")
      return nil
    }
    guard matrix.determinant != 0, matrix.determinant.isFinite else {
      reader.report(
        "calibration", "calibration \(text.quoted) maps the whole touchscreen to a line or a point")
      return nil
    }
    return matrix
  }
}

extension Configuration.Display {
  /// Reads one `[[display]]` table, and reports the errors in all its keys.
  /// - Returns: nil if there is no valid `name`. Other invalid values keep their defaults.
  init?(_ reader: inout SectionReader<Section>, blockSize: Int) {
    if !reader.contains("name") {
      reader.report("name", "[[display]] needs a name such as \"HDMI-A-1\"")
    }
    let name = reader.name("name", such: "HDMI-A-1")
    self.init(name: name ?? "")
    size = Self.size(&reader)
    scale = reader.number("scale", in: 0.25...16) ?? scale
    if let degrees = reader.integer("rotation", in: 0...270, ": 0, 90, 180 or 270") {
      if let known = Rotation(rawValue: degrees) {
        rotation = known
      } else {
        reader.report("rotation", "rotation must be 0, 90, 180 or 270, not \(degrees)")
      }
    }
    panelSize = Self.panelSize(&reader)
    bottom = reader.number("bottom_mm", in: 0...10_000)
    // If a value was rejected, the number of blocks is not checked: one error is enough.
    if size != nil, reader.problems.isEmpty, geometry(blockSize: blockSize) == nil {
      reader.report(
        "width",
        "the display would have more than \(DisplayGeometry.blockLimit) blocks; choose a larger "
          + "block_size than \(blockSize) in [grid]")
    }
    if name == nil { return nil }
  }

  private static func panelSize(_ reader: inout SectionReader<Section>) -> PanelSize? {
    let width = reader.number("width_mm", in: PanelSize.sides)
    let height = reader.number("height_mm", in: PanelSize.sides)
    switch (reader.contains("width_mm"), reader.contains("height_mm")) {
    case (true, false):
      reader.report("width_mm", "width_mm needs a height_mm: give both, or neither")
    case (false, true):
      reader.report("height_mm", "height_mm needs a width_mm: give both, or neither")
    default: break
    }
    guard let width, let height else { return nil }
    return PanelSize(width: width, height: height)
  }

  private static func size(_ reader: inout SectionReader<Section>) -> Size? {
    let range = 1...DisplayGeometry.pixelLimit
    let width = reader.integer("width", in: range, " pixels")
    let height = reader.integer("height", in: range, " pixels")
    switch (reader.contains("width"), reader.contains("height")) {
    case (true, false): reader.report("width", "width needs a height: give both, or neither")
    case (false, true): reader.report("height", "height needs a width: give both, or neither")
    default: break
    }
    guard let width, let height else { return nil }
    return Size(width: width, height: height)
  }
}
