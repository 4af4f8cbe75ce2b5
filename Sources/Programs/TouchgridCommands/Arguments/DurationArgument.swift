import ArgumentParser

/// A duration as users type it: `250ms`, `30s`, `5m`, `2h`.
struct DurationArgument: Equatable, FormedArgument {
  static let forms = "an integer and a unit: 500ms, 30s, 5m, 2h"

  var milliseconds: Int64

  /// Parses a duration above 0.
  /// - Throws: an error that explains the fault.
  static func readLength(_ text: String) throws -> DurationArgument {
    if let duration = DurationArgument(argument: text) {
      if duration.milliseconds > 0 { return duration }
      throw ValidationError("it must be longer than 0.")
    }
    if DurationArgument(argument: text + "s") != nil {
      throw ValidationError("its unit is missing; for seconds, write \(text)s.")
    }
    throw ValidationError("it must be \(forms).")
  }

  /// Parses an integer of up to nine digits and a unit.
  /// - Returns: nil for any other text.
  init?(argument: String) {
    let digits = argument.prefix { ("0"..."9").contains($0) }
    let units: [Substring: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000]
    guard (1...9).contains(digits.utf8.count), let number = Int64(digits),
      let unit = units[argument[digits.endIndex...]]
    else { return nil }
    milliseconds = number * unit
  }
}
