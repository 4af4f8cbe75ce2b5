import Text
import TouchModel

/// The text of a file for systemd's `EnvironmentFile=` (systemd.exec(5)).
struct EnvironmentFile: Equatable {
  private(set) var text = ""

  /// Adds a variable.
  /// - Throws: an error if the value has an ASCII control character. Usual paths, display names and
  ///   options have none.
  mutating func set(_ name: String, to value: String) throws(Failure) {
    guard value.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
      let owner = name == OverlayService.optionsVariable ? "an option of the overlay" : name
      throw Failure("\(owner) contains a control character: \(value.printable(limit: 4096))")
    }
    // These four characters are special inside double quotes.
    text += "\(name)=\(Self.quoted(value, escaping: "\"\\$`"))\n"
  }

  /// Adds a variable that `ExecStart=` splits into these words (`$NAME` without braces).
  mutating func set(_ name: String, toWords words: [String]) throws(Failure) {
    try set(name, to: words.map { Self.quoted($0, escaping: "\"\\") }.joined(separator: " "))
  }

  private static func quoted(_ text: String, escaping special: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if special.unicodeScalars.contains(scalar) { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
