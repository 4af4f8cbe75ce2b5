/// Numbers with a unit, as durations and sizes are written: `"250ms"`, `"256 MiB"`.
///
/// A whole number, white space or none, one unit. No fractions: `"1.5h"` is `"90m"`, and nobody has to
/// wonder what becomes of the seventh decimal.
public struct Quantity: Sendable {
  public static let millisecond: Int64 = 1000
  public static let second = 1000 * millisecond
  public static let hour = 3600 * second
  public static let day = 24 * hour

  /// In microseconds.
  public static let duration = Quantity(
    wanted: "a duration in quotes such as \"60s\"",
    advice: "write \"90m\" for \"1.5h\"",
    units: [("ms", millisecond), ("s", second), ("m", 60 * second), ("h", hour), ("d", day)],
    space: "")

  /// In bytes.
  public static let size = Quantity(
    wanted: "a size in quotes such as \"256 MiB\"",
    advice: "write \"1536 MiB\" for \"1.5 GiB\"",
    units: [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)],
    space: " ")

  public enum Reading: Hashable {
    case value(Int64)
    /// Why not, to be put after the key.
    case refused(String)
  }

  /// For "… must be …".
  public let wanted: String
  /// For fractions.
  private let advice: String
  /// Rising.
  private let units: [(name: String, factor: Int64)]
  /// Between number and unit.
  private let space: String

  private init(
    wanted: String, advice: String, units: [(name: String, factor: Int64)], space: String
  ) {
    self.wanted = wanted
    self.advice = advice
    self.units = units
    self.space = space
  }

  public func read(_ text: String) -> Reading {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    if unit.first == "." {
      return .refused("must be a whole number of its unit, not \(text.quoted): \(advice)")
    }
    guard !digits.isEmpty else { return .refused("must be \(wanted), not \(text.quoted)") }
    guard let factor = units.first(where: { $0.name == unit })?.factor else {
      let names = units.map(\.name).joined(separator: ", ")
      return .refused(
        (unit.isEmpty ? "has no unit" : "has the unknown unit \(String(unit).quoted)")
          + "; it must be \(wanted), and the units are \(names)")
    }
    // Digits alone: only a number too large for 64 bits is no number.
    guard let number = Int64(digits) else { return .refused("is too large: \(text.quoted)") }
    let (value, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? .refused("is too large: \(text.quoted)") : .value(value)
  }

  /// The shortest way to write a value that `read` takes back.
  public func write(_ value: Int64) -> String {
    let (number, unit) = split(value)
    return "\(number)\(space)\(unit)"
  }

  /// The number of the largest unit that leaves no rest.
  public func split(_ value: Int64) -> (number: Int64, unit: String) {
    let unit = units.last { value != 0 && value.isMultiple(of: $0.factor) } ?? units[0]
    return (value / unit.factor, unit.name)
  }
}
