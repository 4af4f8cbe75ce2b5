internal import Text

/// The counts of sets of controls: a subject is a set on one screen and display geometry. It has
/// `ControlSums.numberCount` numbers for each control, in the order of the set.
public struct ControlKind: CountKind {
  public static let name = "controls"

  public var name: String { Self.name }
  public var isOfFleets: Bool { true }
  public var hasTables: Bool { true }

  public init() {}

  public func makeTally() -> (any CountTally)? { SessionControls() }

  public func shape(of key: String) -> CountShape? {
    guard let (place, set) = Self.parts(of: key) else { return nil }
    return CountShape(
      count: set.controls.count * ControlSums.numberCount,
      view: (place, { ControlSums.touches(in: $0) })
    ) { numbers, _ in ControlSums.arePlausible(numbers) }
  }

  /// A unit is a control: its hits and near misses. Left out is what few sessions have: where near
  /// misses lie, retries, rage taps and response times. The key says that rage taps are not counted.
  public var disclosure: CountDisclosure {
    .units { key in
      guard let (place, set) = Self.parts(of: key) else { return nil }
      let controls = set.controls.map {
        Control(name: $0.name, rectangle: $0.rectangle, countsRage: false)
      }
      let units = controls.indices.map { index in
        let start = index * ControlNumber.count
        let (hits, misses) = (start + ControlNumber.hits, start + ControlNumber.nearMisses)
        let sessions = start + ControlNumber.sessions
        return DisclosedCounts.Unit(
          parts: [
            .init(places: Array(hits..<misses) + [sessions], sessions: sessions),
            .init(places: Array(misses..<(start + ControlNumber.beside))),
          ], touches: [hits, misses], area: controls[index].rectangle)
      }
      let released = ControlSet(checked: controls, pointSize: set.pointSize)
      return DisclosedCounts(key: Self.subject(place, released).key, units: units)
    }
  }

  static func subject(_ key: GridKey, _ set: ControlSet) -> CountSubject {
    let members: [JSONValue.Member] = [
      .init(name: "point_mm", value: .real(set.pointSize)),
      .init(name: "controls", value: .array(set.controls.map(\.json))),
    ]
    let json = JSONValue.object(key.subjectMembers + members)
    return CountSubject(kind: name, key: json.exactText)
  }

  /// - Returns: nil if this is not the key of a set.
  static func parts(of key: String) -> (GridKey, ControlSet)? {
    guard let json = try? JSONValue(parsing: key), let place = GridKey(subject: json),
      let pointSize = json["point_mm"]?.number, let elements = json["controls"]?.elements,
      let set = ControlSet(elements.compactMap { Control($0) }, pointSize: pointSize),
      set.controls.count == elements.count
    else { return nil }
    return subject(place, set).key.hasSameBytes(as: key) ? (place, set) : nil
  }
}

extension ControlCounts {
  public var subject: CountSubject { ControlKind.subject(key, set) }

  /// - Returns: nil if they are of another kind.
  public init?(_ counts: SubjectCounts) {
    guard counts.subject.kind == ControlKind.name,
      let (key, set) = ControlKind.parts(of: counts.subject.key),
      counts.numbers.count == set.controls.count * ControlSums.numberCount
    else { return nil }
    self.init(key: key, set: set, numbers: counts.numbers)
  }
}

extension SubjectCounts {
  public init(_ counts: ControlCounts) { self.init(counts.subject, counts.numbers) }
}

extension Control {
  fileprivate var json: JSONValue {
    let members: [(String, JSONValue)] = [
      ("name", .string(name)), ("x", .real(rectangle.x)), ("y", .real(rectangle.y)),
      ("width", .real(rectangle.width)), ("height", .real(rectangle.height)),
      ("rage", .bool(countsRage)),
    ]
    return .object(members.map { JSONValue.Member(name: $0.0, value: $0.1) })
  }

  fileprivate init?(_ json: JSONValue) {
    guard let name = json["name"]?.string, let x = json["x"]?.number, let y = json["y"]?.number,
      let width = json["width"]?.number, let height = json["height"]?.number,
      let rectangle = Rectangle(x: x, y: y, width: width, height: height),
      case .bool(let countsRage)? = json["rage"]
    else { return nil }
    self.init(name: name, rectangle: rectangle, countsRage: countsRage)
  }
}
