internal import Text

/// The changes between screens. The key of a subject is a list of names. The first one is the type
/// of the subject:
///
/// - `["sessions"]`: the number of counted sessions.
/// - `["screen", DISPLAY, SCREEN]`: the numbers of a `ScreenFlow` in the order of its properties,
///   without `sessions`.
/// - `["step", DISPLAY, FROM, TO]`: the number of times that sessions made this change.
/// - `["funnel", NAME, SCREEN…]`: the sessions that reached each of its screens.
///
/// A session's own changes of screens are nearly its sequence, so only days keep them.
public struct FlowKind: CountKind {
  public static let name = "flow"

  public var name: String { Self.name }
  public var isOfFleets: Bool { true }
  public var hasTables: Bool { true }
  public var isOnlyOfDays: Bool { true }

  /// The smallest number of sessions for a change of screens to be shown.
  public static let fewestSessionsOfStep: UInt64 = 5

  public init() {}

  public func isHidden(_ counts: SummedCounts) -> Bool {
    guard case .step? = FlowPart(counts.subject.key) else { return false }
    return counts.sessions < Self.fewestSessionsOfStep
  }

  /// The changes into a screen and those out of it differ by the sessions that begin and end there. So
  /// even changes that many sessions made tell what few did.
  public var disclosure: CountDisclosure {
    .nothing(
      reason: "changes to and from a screen tell how many sessions ended there, which may be few")
  }

  /// No subject has more sessions than were counted.
  public func agree(_ counts: [SummedCounts]) -> Bool { FlowCounts(counts) != nil }

  public func shape(of key: String) -> CountShape? {
    guard let part = FlowPart(key) else { return nil }
    let areCounts: @Sendable ([Int64]) -> Bool = { $0.allSatisfy { $0 >= 0 } }
    switch part {
    case .sessions:
      return CountShape(count: 1) { numbers, sessions in numbers[0] == Int64(clamping: sessions) }
    case .screen:
      return CountShape(count: ScreenFlow.numberCount) { numbers, sessions in
        areCounts(numbers) && ScreenFlow.ofSessions.allSatisfy { numbers[$0] <= sessions }
      }
    case .step:
      return CountShape(count: 1) { numbers, sessions in numbers[0] >= Int64(clamping: sessions) }
    case .funnel(let funnel):
      return CountShape(count: funnel.screens.count) { numbers, sessions in
        areCounts(numbers) && numbers[0] <= sessions
          && zip(numbers, numbers.dropFirst()).allSatisfy { $0 >= $1 }
      }
    }
  }
}

/// A subject of `FlowKind`.
private enum FlowPart {
  case sessions
  case screen(display: String, screen: String)
  case step(display: String, from: String, to: String)
  case funnel(Funnel)

  init?(_ key: String) {
    guard let names = (try? JSONValue(parsing: key))?.elements?.compactMap(\.string) else {
      return nil
    }
    switch (names.first, names.count) {
    case ("sessions", 1): self = .sessions
    case ("screen", 3): self = .screen(display: names[1], screen: names[2])
    case ("step", 4): self = .step(display: names[1], from: names[2], to: names[3])
    case ("funnel", 3...2 + Funnel.screenLimit):
      self = .funnel(Funnel(name: names[1], screens: Array(names[2...])))
    default: return nil
    }
    guard subject.key.hasSameBytes(as: key) else { return nil }
  }

  var subject: CountSubject {
    let names =
      switch self {
      case .sessions: ["sessions"]
      case .screen(let display, let screen): ["screen", display, screen]
      case .step(let display, let from, let to): ["step", display, from, to]
      case .funnel(let funnel): ["funnel", funnel.name] + funnel.screens
      }
    return CountSubject(
      kind: FlowKind.name, key: JSONValue.array(names.map { .string($0) }).exactText)
  }
}

extension ScreenFlow {
  fileprivate static let numberCount =
    3 + 2 * PauseBins.none.count + SessionEnd.allCases.count
  /// The indexes of the numbers that count sessions: `entries`, `exits` and `oneTouchSessions`.
  fileprivate static let ofSessions =
    [0] + Array((numberCount - SessionEnd.allCases.count - 1)..<numberCount)

  fileprivate var numbers: [UInt64] {
    [entries, visits] + firstTouches + pauses + exits + [oneTouchSessions]
  }

  fileprivate mutating func set(_ numbers: [UInt64]) {
    var rest = numbers[...]
    func next(_ count: Int) -> [UInt64] {
      defer { rest.removeFirst(count) }
      return Array(rest.prefix(count))
    }
    (entries, visits) = (rest.removeFirst(), rest.removeFirst())
    firstTouches = next(PauseBins.none.count)
    pauses = next(PauseBins.none.count)
    exits = next(SessionEnd.allCases.count)
    oneTouchSessions = rest.removeFirst()
  }
}

extension FlowCounts {
  /// The counts as the store keeps them, one for each subject.
  public var summed: [SummedCounts] {
    func summed(_ part: FlowPart, _ sessions: UInt64, _ numbers: [UInt64]) -> SummedCounts {
      SummedCounts(part.subject, sessions: sessions, numbers.map { Int64(clamping: $0) })
    }
    if sessions == 0 { return [] }
    return [summed(.sessions, sessions, [sessions])]
      + screens.map {
        summed(.screen(display: $0.display, screen: $0.screen), $0.sessions, $0.numbers)
      }
      + steps.map {
        summed(.step(display: $0.display, from: $0.from, to: $0.to), $0.sessions, [$0.times])
      }
      + funnels.map { summed(.funnel($0.funnel), sessions, $0.reached) }
  }

  /// - Returns: nil if they are of another kind, or contradict each other.
  public init?(_ counts: [SummedCounts]) {
    self.init()
    for part in counts {
      guard part.subject.kind == FlowKind.name, let what = FlowPart(part.subject.key),
        let shape = FlowKind().shape(of: part.subject.key), part.numbers.count == shape.count,
        shape.isPlausible(part.numbers, part.sessions)
      else { return nil }
      let numbers = part.numbers.map { UInt64($0) }
      switch what {
      case .sessions: sessions = part.sessions
      case .screen(let display, let screen):
        var flow = ScreenFlow(display: display, screen: screen)
        flow.sessions = part.sessions
        flow.set(numbers)
        screens.append(flow)
      case .step(let display, let from, let to):
        steps.append(
          FlowStep(display: display, from: from, to: to, times: numbers[0], sessions: part.sessions)
        )
      case .funnel(let funnel): funnels.append(FunnelCounts(funnel, reached: numbers))
      }
    }
    guard counts.allSatisfy({ $0.sessions <= sessions }) else { return nil }
    self = sorted
  }
}

/// The changes between screens, except those of few sessions.
public struct ReleasedFlows: Hashable, Sendable {
  public var counts: FlowCounts
  /// The number of kinds of changes that are left out.
  public var hiddenSteps: Int

  /// - Returns: nil if they are of another kind, or contradict each other.
  public init?(_ answer: CountAnswer) {
    guard let counts = FlowCounts(answer.counts.map(\.counts)) else { return nil }
    (self.counts, hiddenSteps) = (counts, answer.hidden)
  }
}
