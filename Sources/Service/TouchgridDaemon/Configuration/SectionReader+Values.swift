internal import ConfigurationFiles
internal import Text
import TouchModel

extension SectionReader {
  /// Reads `[min, max]`, a range in raw units.
  mutating func range(_ key: String) -> Placement.Range? {
    let wanted = "two whole numbers such as [0, 4095]"
    guard let array = list(key, wanted) else { return nil }
    let values = array.prefix(3).map { $0.value.int }
    guard values.count == 2, let minimum = values[0], let maximum = values[1] else {
      report(key, "\(key) must be \(wanted), the minimum and maximum raw values")
      return nil
    }
    guard let low = Int32(exactly: minimum), let high = Int32(exactly: maximum) else {
      report(key, "\(key) must be within \(Int32.min) to \(Int32.max) (32-bit integers)")
      return nil
    }
    guard low < high else {
      report(key, "\(key) must be [minimum, maximum] with minimum < maximum, not [\(low), \(high)]")
      return nil
    }
    return Placement.Range(minimum: low, maximum: high)
  }

  mutating func layers(_ key: String) -> Set<Layer>? {
    let names = Layer.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    let wanted = "a list of one or more of \(names)"
    guard let array = list(key, wanted) else { return nil }
    var layers: Set<Layer> = []
    for (element, line) in array {
      guard let name = element.string, let layer = Layer(rawValue: name) else {
        let given = element.string?.quoted ?? element.kindInWords
        report(line: line, "\(key) must be \(wanted), not \(given)")
        return nil
      }
      guard layers.insert(layer).inserted else {
        report(line: line, "\(key) contains \(name.quoted) twice")
        return nil
      }
    }
    if layers.isEmpty { report(key, "\(key) must be \(wanted); it is empty") }
    return layers.isEmpty ? nil : layers
  }
}
