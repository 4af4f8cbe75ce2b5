/// Returns a number of at least `width` digits, with leading zeros.
/// - Parameter number: a number that is not negative.
public func padded(_ number: some BinaryInteger, _ width: Int = 2, radix: Int = 10) -> String {
  let digits = String(number, radix: radix)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Returns the shortest digits that parse to the same number. Integers below 10^15 have neither a
/// point nor an exponent.
/// - Parameter value: a finite number.
public func shortestDigits(_ value: Double) -> String {
  if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
  return value.description
}

/// Returns a number as text for users: below 100 with three significant digits, but at most six
/// decimals; from 100 on as an integer. Only numbers from 10^15 on have an exponent.
public func roundedDigits(_ value: Double) -> String {
  let magnitude = abs(value)
  guard magnitude > 0, magnitude.isFinite else { return shortestDigits(value) }
  guard magnitude < 100 else {
    return magnitude < 1e15 ? String(Int64(value.rounded())) : value.description
  }
  var decimals = 0
  var unit = 1.0
  while magnitude * unit < 100, decimals < 6 {
    decimals += 1
    unit *= 10
  }
  let scaled = Int64((magnitude * unit).rounded())
  var text = "\(scaled / Int64(unit)).\(padded(scaled % Int64(unit), decimals))"
  while text.last == "0" { text.removeLast() }
  if text.last == "." { text.removeLast() }
  return value < 0 ? "-" + text : text
}

/// Returns an integer with commas between the thousands, such as `1,204`.
public func groupedDigits(_ value: UInt64) -> String {
  var text = ""
  for (index, digit) in String(value).reversed().enumerated() {
    if index > 0, index.isMultiple(of: 3) { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}

/// Returns a number of any size as text for users: with three significant digits up to 999, as an
/// integer with commas between the thousands above, and with an exponent, such as `1.2e-7`, below
/// 0.0001 and from 10^15 on.
/// - Parameter value: a finite number, not negative.
public func measuredDigits(_ value: Double) -> String {
  guard value > 0, value.isFinite else { return "0" }
  if value >= 999.5 {
    guard value < 1e15 else { return exponentDigits(value) }
    return groupedDigits(UInt64(value.rounded()))
  }
  return value < 0.0001 ? exponentDigits(value) : roundedDigits(value)
}

/// Returns a number with up to two significant digits and an exponent, such as `1.2e-7`.
private func exponentDigits(_ value: Double) -> String {
  var (digits, exponent) = (value, 0)
  while digits >= 10 { (digits, exponent) = (digits / 10, exponent + 1) }
  while digits < 1 { (digits, exponent) = (digits * 10, exponent - 1) }
  var tenths = Int((digits * 10).rounded())
  if tenths == 100 { (tenths, exponent) = (10, exponent + 1) }
  return tenths % 10 == 0
    ? "\(tenths / 10)e\(exponent)" : "\(tenths / 10).\(tenths % 10)e\(exponent)"
}
