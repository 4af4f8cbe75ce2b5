internal import ConfigurationFiles
internal import Text
import TouchModel

extension Configuration.Socket {
  mutating func read(_ reader: inout SectionReader<Section>) {
    guard let text = reader.text("path", "a path in quotes such as \"\(path)\"") else { return }
    // `sockaddr_un.sun_path` has 108 bytes, including the NUL at the end.
    if let complaint = complaint(path: text, limit: 107) {
      reader.report("path", "path \(complaint), not \(text.quoted)")
    } else {
      path = text
    }
  }
}

extension Configuration.Roles {
  mutating func read(_ reader: inout SectionReader<Section>) {
    app = Self.group("app", &reader, default: app)
    read = Self.group("read", &reader, default: read)
    watch = Self.group("watch", &reader, default: watch)
    signal = Self.group("signal", &reader, default: signal)
    operate = Self.group("operate", &reader, default: operate)
  }

  /// Returns the group's name; nil if no group has the role; `group` if the value is absent or
  /// invalid.
  private static func group(
    _ key: String, _ reader: inout SectionReader<Section>, default group: String?
  ) -> String? {
    let wanted =
      "a group's name in quotes such as \"touchgrid-\(key)\", or \"\" for only root "
      + "and the daemon's user"
    guard let text = reader.text(key, wanted) else { return group }
    if text.isEmpty { return nil }
    // Not checked for existence, because the group may be created later.
    guard text.utf8.count <= 128, !text.contains(":"), text.unicodeScalars.allSatisfy(\.isShown)
    else {
      reader.report(key, "\(key) must be \(wanted), not \(text.quoted)")
      return group
    }
    return text
  }
}

extension Mask {
  /// Reads one `[[mask]]` table, and reports the errors in all its keys.
  /// - Returns: nil if there is no valid `screen` or any value is invalid, so that no mask is
  ///   smaller or larger than intended.
  init?(_ reader: inout SectionReader<Section>) {
    if !reader.contains("screen") {
      reader.report("screen", "[[mask]] needs a screen: the name that the app gives it")
    }
    let screen = reader.name("screen", such: "checkout/pin")
    let display = reader.name("display", such: "HDMI-A-1")
    let rectangle = Rectangle.read(
      &reader, orNone: "To mask the whole screen, give none of the four")
    guard let screen, reader.problems.isEmpty else { return nil }
    self.init(screen: screen, display: display, rectangle: rectangle)
  }

}

extension Cover {
  /// Reads one `[[cover]]` table, and reports the errors in all its keys.
  /// - Returns: nil if a value is missing or invalid.
  init?(_ reader: inout SectionReader<Section>) {
    let display = reader.name("display", such: "HDMI-A-1")
    let rectangle = Rectangle.read(&reader, orNone: "A cover needs all four")
    if rectangle == nil, !["x", "y", "width", "height"].contains(where: reader.contains) {
      reader.report("x", "[[cover]] needs x, y, width and height")
    }
    guard let rectangle, reader.problems.isEmpty else { return nil }
    self.init(display: display, rectangle: rectangle)
  }
}

extension Rectangle {
  /// Reads `x`, `y`, `width` and `height`, and reports the errors in them.
  /// - Parameter orNone: the meaning of giving none of the four, for error messages.
  static func read(
    _ reader: inout SectionReader<Section>, orNone: String
  ) -> Rectangle? {
    let keys = ["x", "y", "width", "height"]
    let values = keys.map { key -> Double? in
      let value = reader.number(key, in: 0...maxSide)
      if value == 0, key == "width" || key == "height" {
        reader.report(key, "\(key) must be more than 0")
      }
      return value
    }
    let missing = keys.filter { !reader.contains($0) }
    if let present = keys.first(where: reader.contains), !missing.isEmpty {
      reader.report(
        present,
        "a rectangle has x, y, width and height; \(missing.joined(separator: " and ")) "
          + "\(missing.count == 1 ? "is" : "are") missing. \(orNone)")
    }
    let numbers = values.compactMap(\.self)
    guard numbers.count == 4 else { return nil }
    return Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
