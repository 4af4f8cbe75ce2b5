internal import Text

/// Numbers with a unit, such as durations and sizes: `"250ms"`, `"256 MiB"`.
///
/// A quantity is a whole number, optional spaces and one unit. Fractions are not accepted, which
/// avoids rounding: `"1.5h"` is written `"90m"`.
public struct Quantity: Sendable {
  public static let millisecond: Int64 = 1000
  public static let second = 1000 * millisecond
  public static let hour = 3600 * second
  public static let day = 24 * hour

  /// Durations, in µs.
  public static let duration = Quantity(
    wanted: "a duration in quotes such as \"60s\"",
    advice: "write \"90m\" for \"1.5h\"",
    units: [("ms", millisecond), ("s", second), ("m", 60 * second), ("h", hour), ("d", day)],
    space: "")

  /// Sizes, in bytes.
  public static let size = Quantity(
    wanted: "a size in quotes such as \"256 MiB\"",
    advice: "write \"1536 MiB\" for \"1.5 GiB\"",
    units: [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)],
    space: " ")

  public enum Reading: Hashable {
    case value(Int64)
    /// The reason for an error message, to be put after the key's name.
    case refused(String)
  }

  /// The expected form, to be put after "must be" in an error message.
  public let wanted: String
  /// The advice in the error message about a fraction.
  private let advice: String
  /// From the smallest to the largest.
  private let units: [(name: String, factor: Int64)]
  /// The text that `write` puts between number and unit.
  private let space: String

  public func read(_ text: String) -> Reading {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    if unit.first == "." {
      return .refused("must be a whole number of its unit, not \(text.quoted): \(advice)")
    }
    guard !digits.isEmpty else { return .refused("must be \(wanted), not \(text.quoted)") }
    guard let factor = units.first(where: { $0.name == unit })?.factor else {
      let names = units.map(\.name).joined(separator: ", ")
      let problem =
        unit.isEmpty ? "has no unit" : "has the unknown unit \(String(unit).quoted)"
      return .refused("\(problem); it must be \(wanted), and the units are \(names)")
    }
    // The text has only digits, so the conversion fails only for numbers above 64 bits.
    guard let number = Int64(digits) else { return .refused("is too large: \(text.quoted)") }
    let (value, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? .refused("is too large: \(text.quoted)") : .value(value)
  }

  /// Returns a text that `read` turns into the value, with the largest unit that gives a whole
  /// number.
  /// - Parameter value: a multiple of the smallest unit. Other values are rounded towards zero.
  public func write(_ value: Int64) -> String {
    let (number, unit) = split(value)
    return "\(number)\(space)\(unit)"
  }

  /// Splits a value into a number and the largest unit for which that number is whole. For 0, the
  /// unit is the smallest.
  public func split(_ value: Int64) -> (number: Int64, unit: String) {
    var unit = units[0]
    for larger in units where value != 0 && value.isMultiple(of: larger.factor) { unit = larger }
    return (value / unit.factor, unit.name)
  }
}
