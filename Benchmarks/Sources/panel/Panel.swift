import ArgumentParser
import Foundation
import Reports
import TouchModel

@main
struct Panel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "panel",
    abstract: "How soon faults of panels are found, and how often healthy ones are accused.")

  @Argument(help: "The folder of the recordings.")
  var recordings: String

  @Option(help: "The healthy panel-years.")
  var years = 300

  @Option(help: "The panels of each fault and use.")
  var trials = 30

  @Option(help: "Only the faults whose names contain this.")
  var only = ""

  @Flag(help: "Print every finding on a healthy panel.")
  var verbose = false

  @Option(help: "The seed of the random numbers.")
  var seed: UInt64 = 2

  func run() throws {
    let panels = try RealPanel.all(in: recordings)
    guard !panels.isEmpty else {
      throw ValidationError("\(recordings) has no recording of a touchscreen that can be used")
    }
    var runs = Trials(panels: panels, seed: seed, isVerbose: verbose)
    try emit([Row(what: "recorded panels", value: Double(panels.count), unit: "")])
    if only.isEmpty { try emit(skips(panels)) }
    if !"healthy panels".contains(only) || only.isEmpty { makeYoung(&runs) }
    for trial in FaultTrial.all where only.isEmpty || trial.name.contains(only) {
      for limit in trial.limits { try emit(detect(trial, limit, runs)) }
    }
    try alarms(runs)
    if years > 0, only.isEmpty || "healthy panels".contains(only) { try emit(health(runs)) }
  }

  private func makeYoung(_ runs: inout Trials) {
    for sessions in [200.0, 20] {
      for isKnown in [true, false] {
        let use = Use(sessions: sessions, knowsLayout: isKnown)
        let young = runs
        runs.keep(each(trials, "\(use)") { young.life(use, number: $0) }, for: use)
      }
    }
  }

  private func emit(_ rows: [Row]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    for row in rows { print(String(decoding: try encoder.encode(row), as: UTF8.self)) }
    fflush(nil)
  }

  /// Runs a function for each number, on all processors, and says how far it is.
  private func each<Value: Sendable>(
    _ count: Int, _ what: String, _ body: @Sendable (Int) -> Value
  ) -> [Value] {
    let slots = Slots<Value>(count)
    note(what)
    DispatchQueue.concurrentPerform(iterations: count) { number in
      let done = slots.set(number, body(number))
      if done % 10 == 0 { note("  \(done) of \(count)") }
    }
    return slots.values
  }

  private func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  /// The shares of crossings that skip a line, in the recordings as they are.
  private func skips(_ panels: [RealPanel]) -> [Row] {
    var rows: [Row] = []
    let healthy = panels.flatMap { panel in
      PanelCounts.Direction.allCases.map {
        Trials.skips(on: panel, fault: nil, $0, line: nil)
      }
    }
    rows.append(share("crossings of recorded contacts that skip a line", healthy))
    let kinds: [(String, @Sendable (PanelCounts.Direction, Int) -> Fault)] = [
      ("splits", { .split($0, electrode: $1) }), ("merges", { .merged($0, electrode: $1) }),
      ("is bridged", { .bridged($0, electrode: $1) }),
    ]
    for (name, make) in kinds {
      let faulty = panels.flatMap { panel in
        PanelCounts.Direction.allCases.flatMap { direction in
          [1, 2, 3].map { quarter in
            let electrode = Fault.electrodes(direction) * quarter / 4
            let line = Int(
              (Double(electrode) + 0.5) / Double(Fault.electrodes(direction))
                * Double(direction.lines))
            return Trials.skips(
              on: panel, fault: make(direction, electrode), direction, line: line)
          }
        }
      }
      rows.append(share("the same in a dead line that \(name)", faulty))
    }
    return rows
  }

  private func share(_ what: String, _ skips: [Trials.Skips]) -> Row {
    let crossings = skips.reduce(0) { $0 + $1.crossings }
    let skipped = skips.reduce(0) { $0 + $1.healthy * $1.crossings }
    return Row(what: what, value: 100 * skipped / max(1, crossings), unit: "%")
  }

  private func detect(
    _ trial: FaultTrial, _ limit: FaultTrial.Limit, _ runs: Trials
  ) -> [Row] {
    let name = "\(trial.name), \(Int(limit.sessions)) sessions a day"
    let found = each(trials, name) { number in
      runs.detect(trial, sessions: limit.sessions, within: limit.days, number: number)
    }
    let days = found.compactMap(\.days).sorted()
    note("  \(days.count) of \(trials); \(found.first { $0.days != nil }?.text ?? "")")
    if verbose { for each in found { note("  \(each)") } }
    let missing = found.count { $0.days == nil && !$0.isUnknown }
    let other = found.count { $0.other != nil }
    let unknown = found.count(where: \.isUnknown)
    let rows = [
      Row(
        what: "\(name): not found in \(limit.days) days", value: share(missing), unit: "%",
        goal: limit.missing),
      Row(
        what: "\(name): days, median",
        value: days.isEmpty ? Double(limit.days + 1) : Double(days[days.count / 2]), unit: "d",
        goal: Double(limit.days)),
      Row(
        what: "\(name): something else was found as well or before", value: share(other), unit: "%",
        goal: 25),
    ]
    return unknown == 0
      ? rows
      : rows + [
        Row(what: "\(name): known to be unknown", value: share(unknown), unit: "%", goal: 25)
      ]
  }

  private func share(_ part: Int) -> Double { 100 * Double(part) / Double(max(1, trials)) }

  private func health(_ runs: Trials) -> [Row] {
    let lives = (years + 4) / 5
    let alarms = each(lives, "healthy panels") { runs.falseAlarms(days: 5 * 365, number: $0) }
    note("  false alarms: \(alarms.filter { !$0.isEmpty })")
    let rows = [Row(what: "healthy panel-years", value: Double(5 * lives), unit: "")]
    return rows
      + PanelFinding.Kind.allCases.map { kind in
        let count = alarms.reduce(0) { $0 + ($1[kind] ?? 0) }
        return Row(what: "false alarms: \(kind.rawValue)", value: Double(count), unit: "", goal: 0)
      }
  }

  /// The alarms after something that is no fault.
  private func alarms(_ runs: Trials) throws {
    func count(
      _ what: String, goal: Double?, _ isAlarm: @escaping @Sendable (Int) -> Bool
    ) throws {
      guard only.isEmpty || what.contains(only) else { return }
      let alarms = each(trials, what, isAlarm)
      try emit([
        Row(
          what: "\(what): panels with an alarm", value: Double(alarms.count { $0 }),
          unit: "of \(trials)", goal: goal)
      ])
    }
    try count("no fault", goal: 0) { runs.controlAlarm(number: $0) }
    try count("changed layout with another build", goal: 0) {
      runs.layoutAlarm(declared: true, known: true, number: $0)
    }
    try count("changed layout, no build known", goal: 0) {
      runs.layoutAlarm(declared: true, known: false, number: $0)
    }
    try count("changed layout with the same build", goal: nil) {
      runs.layoutAlarm(declared: false, known: true, number: $0)
    }
    try count("quiet holiday", goal: 0) { runs.holidayAlarm(number: $0) }
  }
}

/// Values that several threads set, each at its own place.
private final class Slots<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [Value?]
  private var set = 0

  init(_ count: Int) { all = Array(repeating: nil, count: count) }

  /// - Returns: how many values are set.
  func set(_ index: Int, _ value: Value) -> Int {
    lock.lock()
    defer { lock.unlock() }
    all[index] = value
    set += 1
    return set
  }

  var values: [Value] { all.compactMap(\.self) }
}
