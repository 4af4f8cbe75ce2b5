internal import Text

/// The counts of panels: a subject is a device with its axes. It has `PanelCounts.numberCount`
/// numbers.
public struct PanelKind: CountKind {
  public static let name = "panel"

  public var name: String { Self.name }
  /// Panels of several kiosks are never added up, although they may have the same name.
  public var isOfFleets: Bool { false }
  public var hasTables: Bool { true }

  public var disclosure: CountDisclosure { .nothing(reason: "each is of one device") }

  public init() {}

  public func makeTally() -> (any CountTally)? { PanelTally() }

  public func shape(of key: String) -> CountShape? {
    guard PanelKey(key) != nil else { return nil }
    return CountShape(count: PanelCounts.numberCount) { numbers, _ in
      PanelCounts(numbers: numbers).isPlausible
    }
  }

  public func key(_ key: String, at kiosk: String) -> String {
    guard var panel = PanelKey(key) else { return key }
    panel.device = "\(kiosk)/\(panel.device)"
    return panel.subject.key
  }
}

extension PanelKey {
  public var subject: CountSubject {
    let members: [(String, JSONValue)] =
      [("device", .string(device))]
      + [("x", x), ("y", y)].map { name, axis in
        let numbers = [axis.minimum, axis.maximum, axis.resolution]
        return (name, .array(numbers.map { .integer($0) }))
      }
    let json = JSONValue.object(members.map { JSONValue.Member(name: $0.0, value: $0.1) })
    return CountSubject(kind: PanelKind.name, key: json.exactText)
  }

  /// - Returns: nil if the text is not the key of a panel.
  init?(_ text: String) {
    guard let json = try? JSONValue(parsing: text), let device = json["device"]?.string,
      let x = PanelAxis(json["x"]), let y = PanelAxis(json["y"])
    else { return nil }
    self.init(device: device, x: x, y: y)
    guard subject.key.hasSameBytes(as: text) else { return nil }
  }
}

extension PanelAxis {
  fileprivate init?(_ json: JSONValue?) {
    let numbers = json?.elements?.compactMap { $0.digits.flatMap { Int32($0) } } ?? []
    guard numbers.count == 3 else { return nil }
    self.init(minimum: numbers[0], maximum: numbers[1], resolution: numbers[2])
    guard isPossible else { return nil }
  }
}

extension PanelRecord {
  /// - Returns: nil if they are of another kind.
  public init?(_ counts: SubjectCounts) {
    guard counts.subject.kind == PanelKind.name, let key = PanelKey(counts.subject.key),
      counts.numbers.count == PanelCounts.numberCount
    else { return nil }
    self.init(key: key, counts: PanelCounts(numbers: counts.numbers))
  }
}

extension SubjectCounts {
  public init(_ panel: PanelRecord) { self.init(panel.key.subject, panel.counts.numbers) }
}

extension SummedPanel {
  /// - Returns: nil if they are of another kind, or a sum of several days.
  public init?(_ found: FoundCounts) {
    guard let day = found.day,
      let panel = PanelRecord(SubjectCounts(found.counts.subject, found.counts.numbers))
    else { return nil }
    self.init(day: day, key: panel.key, sessions: found.counts.sessions, counts: panel.counts)
  }

  /// The order: by days, then by devices.
  public static func isBefore(_ left: Self, _ right: Self) -> Bool {
    left.day == right.day ? PanelKey.isBefore(left.key, right.key) : left.day < right.day
  }
}
