public import TouchModel

/// Something that the owner of a kiosk may want to change, in a sentence.
public struct Finding: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// A control that touches miss.
    case missed
    /// A control whose touches often change nothing on the screen.
    case dead
    /// A control to which the screen responds late.
    case slow
    /// A control that people tap again and again.
    case rage
    /// A gesture that people try, on a control or a screen.
    case gesture
    /// A place without a control where people tap.
    case stray
    /// A funnel whose end many sessions do not reach.
    case lost
    /// A screen that people look at for a long time before they touch it.
    case hesitation
    /// Controls without touches.
    case untouched
    /// A control whose hit share differs from that of the previous period.
    case changed
    /// Screens without a description of their controls.
    case undescribed
  }

  public let kind: Kind
  /// The screen of the finding.
  public let key: GridKey
  /// The names of the controls.
  public let controls: [String]
  /// The rectangles on the screen that are not controls, in points.
  public var places: [Rectangle] = []
  public let text: String
  /// How many sessions it concerns, at least or as estimated; 0 if it harms nobody.
  var sessions: UInt64 = 0
}

extension Finding {
  /// The maximum number of findings of each kind. The tables of controls list all.
  static let limit = 5

  /// Returns the findings about controls and gestures.
  /// - Parameters:
  ///   - screens: the results of all screens.
  ///   - former: the results of the previous period; empty if there is none.
  ///   - period: the previous period as text, such as `the 30 days before`.
  static func all(
    _ screens: [ScreenControlResults], former: [ScreenControlResults], period: String,
    _ gestures: GestureReport
  ) -> [Finding] {
    let results = screens.flatMap { screen in screen.results.map { (screen.key, $0) } }
    let missed = results.filter { $0.1.verdict == .missed }
      .sorted { $0.1.urgency > $1.1.urgency }
    let rage = results.filter { $0.1.verdict == .rage }
      .sorted { $0.1.sums.rageSessions > $1.1.sums.rageSessions }
    var findings = missed.prefix(limit).map { self.missed(of: $0.1, $0.0) }
    let judged = results.filter { $0.1.verdict != .covered }
      .sorted { $0.1.responses?.late ?? 0 > $1.1.responses?.late ?? 0 }
    findings += judged.filter(\.1.isDead).prefix(limit)
      .compactMap { response(to: $0.1, .dead, $0.0) }
    findings += judged.filter { $0.1.isSlow && !$0.1.isDead }.prefix(limit)
      .compactMap { response(to: $0.1, .slow, $0.0) }
    findings += rage.prefix(limit).map { self.rage(of: $0.1, $0.0) }
    findings += self.gestures(gestures).prefix(limit)
    findings += changes(screens, since: former, period).prefix(limit)
    findings += screens.compactMap { untouched($0, gestures) }.prefix(limit)
    return findings
  }

  private static func missed(of result: ControlResult, _ key: GridKey) -> Finding {
    let share = result.hitShare ?? Share(0, in: 0...1)
    let name = result.control.name
    var text =
      "\(part(1 - share.value)) touches meant for \(quoted(name)) on \(quoted(key.screen)) misses it "
      + "(\(words(1 - share.high, 1 - share.low)) %)."
    if let remedy = result.remedy {
      text +=
        " Make it react on a larger area, \(remedy.words): then \(remedy.hitShare.range) would hit it, "
        + "if people aim as before."
      if !remedy.blocked.isEmpty { text += " There is not so much room yet." }
    }
    // Which sessions the misses belong to is not counted.
    let sessions = min(result.screenSessions, UInt64(result.missed.rounded()))
    return Finding(kind: .missed, key: key, controls: [name], text: text, sessions: sessions)
  }

  private static func response(
    to result: ControlResult, _ kind: Kind, _ key: GridKey
  ) -> Finding? {
    guard let responses = result.responses else { return nil }
    let name = "\(quoted(result.control.name)) on \(quoted(key.screen))"
    let text =
      kind == .dead
      ? "After \(responses.without) of \(responses.touches) observed touches of \(name), nothing changed "
        + "within 2.5 s. See whether it works, and whether it only looks like a button."
      : "Half of the responses to touches of \(name) come only after \(responses.seconds) s or more. "
        + "Make it show at once that it was touched."
    let touches = UInt64(clamping: kind == .dead ? responses.without : responses.late)
    return Finding(
      kind: kind, key: key, controls: [result.control.name], text: text,
      sessions: min(result.screenSessions, touches))
  }

  private static func rage(of result: ControlResult, _ key: GridKey) -> Finding {
    let name = result.control.name
    return Finding(
      kind: .rage, key: key, controls: [name],
      text:
        "In \(result.sums.rageSessions) of \(counted(sessions: Int64(clamping: result.screenSessions))) people "
        + "tapped \(quoted(name)) on \(quoted(key.screen)) again and again. See whether it reacts at "
        + "once.",
      sessions: UInt64(clamping: result.sums.rageSessions))
  }

  private static func untouched(
    _ screen: ScreenControlResults, _ gestures: GestureReport
  ) -> Finding? {
    // What people swipe or pinch is in use, even if nobody taps it.
    let tried = Set(
      gestures.screens.filter { $0.all.key == screen.key }
        .flatMap { $0.controls.filter(\.isTried).compactMap(\.control) })
    let names = screen.results.filter { $0.verdict == .untouched }.map(\.control.name)
      .filter { !tried.contains($0) }
    guard !names.isEmpty else { return nil }
    let list = names.prefix(8).map(quoted).joined(separator: ", ")
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return Finding(
      kind: .untouched, key: screen.key, controls: names,
      text: "Nobody used \(list)\(rest) on \(quoted(screen.key.screen)), in "
        + "\(counted(sessions: Int64(clamping: screen.summed.sessions))).")
  }

  /// The smallest change of a hit share that is reported, and the standard errors that it must
  /// exceed: p = 0.001, two-sided.
  private static let (leastChange, changeZ) = (0.01, 3.29)

  /// The controls whose hit share differs from that of the previous period, the largest difference
  /// first. Compares only controls of the same set.
  private static func changes(
    _ screens: [ScreenControlResults], since former: [ScreenControlResults], _ period: String
  ) -> [Finding] {
    let findings = screens.flatMap { screen -> [(Double, Finding)] in
      let before = former.first { $0.key == screen.key && $0.set == screen.set }
      guard let before else { return [] }
      return screen.results.compactMap { result in
        let other = before.results.first { $0.control == result.control }
        guard let now = result.hitShare, let then = other?.hitShare else { return nil }
        let difference = now.value - then.value
        // The standard errors on the sides of the intervals that face each other.
        let (one, two) =
          difference > 0
          ? (now.value - now.low, then.high - then.value)
          : (now.high - now.value, then.value - then.low)
        let error = (one * one + two * two).squareRoot() / ControlResult.usualZ
        guard abs(difference) > changeZ * error, abs(difference) >= leastChange else {
          return nil
        }
        let name = result.control.name
        let text =
          "\(Share.percent(now.value)) % of the touches meant for \(quoted(name)) on "
          + "\(quoted(screen.key.screen)) hit it, \(difference > 0 ? "up" : "down") from "
          + "\(Share.percent(then.value)) % in \(period)."
        return (
          abs(difference),
          Finding(kind: .changed, key: screen.key, controls: [name], text: text)
        )
      }
    }
    return findings.sorted { $0.0 > $1.0 }.map(\.1)
  }

  /// A funnel is a finding if it certainly loses at least this share of its sessions.
  private static let leastLoss = 0.1

  /// Returns the funnels whose end many sessions do not reach, the greatest loss first.
  /// - Returns: for each funnel, the name of the screen after which most sessions are lost, and a
  ///   function that makes the finding from the key of that screen.
  static func losses(
    _ flows: FlowReport
  ) -> [(screen: String, finding: (GridKey) -> Finding)] {
    let found = flows.counts.funnels.compactMap { counts -> (UInt64, String, String)? in
      let (screens, reached) = (counts.funnel.screens, counts.reached)
      guard let first = reached.first, let last = reached.last, let goal = screens.last,
        first >= fewestFirstTouches, first >= last
      else { return nil }
      let lost = Share(Double(first - last), of: Double(first), z: ControlResult.safeZ)
      let steps = zip(reached, reached.dropFirst()).map { $0 &- $1 }
      guard lost.low >= leastLoss, let most = steps.max(), let step = steps.firstIndex(of: most)
      else { return nil }
      var text =
        "\(first - last) of \(first) sessions that began the funnel \(quoted(counts.funnel.name)) did "
        + "not reach its end, \(quoted(goal)) (\(Share.percent(lost.value)) %)."
      if steps.count > 1 {
        text +=
          " Most were lost between \(quoted(screens[step])) and \(quoted(screens[step + 1])): \(most) "
          + "of \(reached[step])."
      }
      return (first - last, screens[step], text)
    }
    return found.sorted { $0.0 > $1.0 }.prefix(limit).map { lost, screen, text in
      (screen, { Finding(kind: .lost, key: $0, controls: [], text: text, sessions: lost) })
    }
  }

  /// The smallest number of first touches for a finding about a screen, and of sessions for one
  /// about a funnel.
  private static let fewestFirstTouches: UInt64 = 50
  /// The shortest wait that counts as long, in ms.
  private static let longWait = 4000.0

  /// Returns the screens on which people certainly wait at least twice as long as on the others
  /// before they touch them, and at least 4 s, the longest wait first.
  /// - Returns: for each screen, its place, and a function that makes the finding from its key.
  static func hesitations(
    _ flows: FlowReport
  ) -> [(place: ScreenFlow, finding: (GridKey) -> Finding)] {
    var all = PauseBins.none
    for screen in flows.screens {
      for bin in all.indices { all[bin] &+= screen.flow.firstTouches[bin] }
    }
    let found = flows.screens.compactMap { screen -> (Double, ScreenFlow, String, UInt64)? in
      let own = screen.flow.firstTouches.prefix(PauseBins.count)
      let touched = own.reduce(0, &+)
      let others = zip(all, screen.flow.firstTouches).map { $0 &- $1 }
      guard touched >= fewestFirstTouches, let wait = screen.firstTouch,
        others.prefix(PauseBins.count).reduce(0, &+) >= fewestFirstTouches,
        let usual = PauseBins.median(others)
      else { return nil }
      let limit = max(longWait, 2 * usual)
      let longer = zip(own, PauseBins.limits).reduce(0) { sum, bin in
        Double(bin.1) / 1000 >= limit ? sum + Double(bin.0) : sum
      }
      // The largest standard error that a share can have: that of one half.
      let error = 0.5 / Double(touched).squareRoot()
      guard longer / Double(touched) - ControlResult.safeZ * error > 0.5 else { return nil }
      let text =
        "When people touch \(quoted(screen.flow.screen)), half of them have looked at it for more than "
        + "\(FlowText.seconds(wait)) first; on the other screens it is \(FlowText.seconds(usual)). See "
        + "whether they find what to do."
      return (wait, screen.flow, text, min(screen.flow.sessions, UInt64(longer)))
    }
    return found.sorted { $0.0 > $1.0 }.prefix(limit).map { _, flow, text, sessions in
      (flow, { Finding(kind: .hesitation, key: $0, controls: [], text: text, sessions: sessions) })
    }
  }

  /// A share as the beginning of a sentence: `One in eight` for 0.12.
  private static func part(_ share: Double) -> String {
    let names = [
      2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
      10: "ten",
    ]
    guard share > 0 else { return "One of the" }
    let count = Int((1 / share).rounded())
    if count < 2 { return "Most" }
    return "One in \(names[count] ?? "\(count)")"
  }

  private static func words(_ low: Double, _ high: Double) -> String {
    "\(Int((100 * low).rounded(.down))) to \(Int((100 * high).rounded(.up)))"
  }

  static func quoted(_ name: String) -> String { "“\(name)”" }

  private static func counted(sessions: Int64) -> String {
    sessions == 1 ? "1 session" : "\(sessions) sessions"
  }
}
