import ArgumentParser

/// A length of time as users type it: `250ms`, `30s`, `5m`, `2h`.
struct DurationArgument: Equatable, ExpressibleByArgument {
  var milliseconds: Int64

  /// - Returns: nil for anything but a whole number of up to nine digits and a unit.
  init?(argument: String) {
    let digits = argument.prefix { ("0"..."9").contains($0) }
    let units: [Substring: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000]
    guard (1...9).contains(digits.utf8.count), let number = Int64(digits),
      let unit = units[argument[digits.endIndex...]]
    else { return nil }
    milliseconds = number * unit
  }
}
