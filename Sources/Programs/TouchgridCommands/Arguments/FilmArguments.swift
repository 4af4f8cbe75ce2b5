import ArgumentParser
import TouchModel

/// A time offset in a video as users type it: `1.2s`, `-300ms`, `2m`, `0`.
struct OffsetArgument: Equatable, ExpressibleByArgument {
  var microseconds: Int64

  /// Parses an offset.
  /// - Throws: an error that explains the fault.
  static func read(_ text: String) throws -> OffsetArgument {
    if let offset = OffsetArgument(argument: text) { return offset }
    if OffsetArgument(argument: text + "s") != nil {
      throw ValidationError("its unit is missing; for seconds, write \(text)s.")
    }
    throw ValidationError("it must be a time such as 1.2s, -300ms or 2m, of 100 hours at most.")
  }

  /// Parses `0`, or an optional minus sign, a number with up to nine digits before the point, and a
  /// unit. The number has at most 16 characters.
  /// - Returns: nil for any other text, and for more than 100 hours.
  init?(argument: String) {
    if argument == "0" {
      microseconds = 0
      return
    }
    let isNegative = argument.hasPrefix("-")
    let text = isNegative ? argument.dropFirst() : argument[...]
    let number = text.prefix { $0 == "." || ("0"..."9").contains($0) }
    let units: [Substring: Double] = ["ms": 1e3, "s": 1e6, "m": 60e6, "h": 3600e6]
    guard number.first != ".", number.last != ".", (1...16).contains(number.utf8.count),
      (number.split(separator: ".").first ?? "").utf8.count <= 9, let value = Double(number),
      let unit = units[text[number.endIndex...]]
    else { return nil }
    // No video is longer than a hundred hours.
    let whole = (value * unit).rounded()
    guard whole <= 360_000e6 else { return nil }
    microseconds = Int64(isNegative ? -whole : whole)
  }
}

/// A rectangle in pixels, `WIDTHxHEIGHT+X+Y`, as X11 writes it.
struct AreaArgument: Equatable, ExpressibleByArgument {
  var rectangle: Rectangle

  /// Parses a rectangle.
  /// - Throws: an error that explains the fault.
  static func read(_ text: String) throws -> AreaArgument {
    if let area = AreaArgument(argument: text) { return area }
    if AreaArgument(argument: text + "+0+0") != nil {
      throw ValidationError(
        "its position +X+Y is missing; for the top left corner, write \(text)+0+0.")
    }
    throw ValidationError(
      "it must be WxH+X+Y: width, height, and the distance of its top left corner from the left and "
        + "from the top.")
  }

  init?(argument: String) {
    let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 3, size.count == 2 else { return nil }
    let numbers = (size + parts[1...]).compactMap { word -> Double? in
      // Check the characters: Swift's `Double` also parses hexadecimal numbers, "inf" and "nan".
      word.allSatisfy("0123456789.".contains) ? Double(word) : nil
    }
    guard numbers.count == 4,
      let rectangle = Rectangle(
        x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1])
    else { return nil }
    self.rectangle = rectangle
  }
}
