/// The shortest digits that read back as the same number, whole numbers without a point.
/// - Parameter value: finite.
func shortestDigits(_ value: Double) -> String {
  if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
  return value.description
}

/// A count for people: three digits that matter, no exponent.
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
  let fraction = String(scaled % Int64(unit))
  var text = String(scaled / Int64(unit))
  text += "." + String(repeating: "0", count: decimals - fraction.count) + fraction
  while text.last == "0" { text.removeLast() }
  if text.last == "." { text.removeLast() }
  return value < 0 ? "-" + text : text
}
