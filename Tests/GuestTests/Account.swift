import Foundation

/// What `fingers.py` noted of the landings and lifts that it sent, frame by frame. It survives whatever becomes of the
/// guest. Times are microseconds of the guest's `CLOCK_MONOTONIC`.
struct Account {
  struct Frame {
    var time: Int64
    /// How many fingers had landed by then, and been lifted.
    var landed: Int
    var lifted: Int
  }

  /// Of at least one frame; the last is the last sign of life of the guest.
  let frames: [Frame]

  init(_ file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    // Of the last line there may be a part only.
    frames = text.split(separator: "\n").prefix(text.count { $0 == "\n" }).compactMap { line in
      let numbers = line.split(separator: " ").compactMap { Int64($0) }
      guard numbers.count == 3 else { return nil }
      return Frame(time: numbers[0], landed: Int(numbers[1]), lifted: Int(numbers[2]))
    }
    guard !frames.isEmpty else { throw Guest.Failure(description: "no finger drew: \(file.path)") }
  }

  var end: Int64 { frames[frames.count - 1].time }

  /// For how long the fingers drew.
  var seconds: Double { Double(end - frames[0].time) / 1e6 }

  /// The longest time between two frames, in seconds.
  var longestPause: Double {
    Double(zip(frames, frames.dropFirst()).map { $1.time - $0.time }.max() ?? 0) / 1e6
  }

  /// All landings.
  var landed: Int { frames[frames.count - 1].landed }

  /// Whether the fingers, which go before everything else in the guest, were on time in the seconds before `end`. Where
  /// they were not, the guest was not given the time to do anything in time.
  func isPunctual(at rate: Double, before end: Int64) -> Bool {
    let seconds = min(Endurance.bound, Double(end - frames[0].time) / 1e6)
    let start = end - Int64(seconds * 1e6)
    return Double(frames.count { $0.time >= start && $0.time < end }) >= 0.8 * rate * seconds
  }

  /// How old, when the end came, the oldest was that is missing.
  /// - Parameters:
  ///   - count: landings, or lifts, that are not missing.
  ///   - since: those before are not of interest.
  ///   - end: those after neither.
  /// - Returns: in seconds; 0 where nothing is missing.
  func ageOfMissing(
    _ what: KeyPath<Frame, Int>, having count: Int, since: Int64 = .min, end: Int64? = nil
  ) -> Double {
    let end = end ?? self.end
    let before = frames.last { $0.time < since }?[keyPath: what] ?? 0
    let oldest = frames.first { $0[keyPath: what] > before + count }
    guard let oldest, oldest.time < end else { return 0 }
    return Double(end - oldest.time) / 1e6
  }
}

/// What `books.py` says of a store.
struct Books: Decodable {
  let version: Int
  let integrity: String
  let wrong: [String]
  let sessions: Int
  /// Of all sessions there ever were.
  let begun: Int
  let counted: Int
  let last: Last?

  struct Last: Decodable {
    let id: Int
    let began: Int64
    let begun: Int
    let preexisting: Int
    let counted: Int
    let drops: Int
    let endReason: String?
  }

  var areSound: Bool { integrity == "ok" && wrong.isEmpty }

  /// - Parameter text: a line of JSON for each look.
  static func all(in text: String) throws -> [Books] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try text.split(separator: "\n").filter { $0.hasPrefix("{") }
      .map { try decoder.decode(Books.self, from: Data($0.utf8)) }
  }

  static func last(in text: String) throws -> Books {
    guard let last = try all(in: text).last else {
      throw Guest.Failure(description: "no look at the store: \(text)")
    }
    return last
  }
}

/// One life of a daemon, as `lives.py` tells it.
struct Life: Decodable {
  /// When its session began, or where nothing of that is stored, when it was seen to read the panel.
  let since: Int64
  let killed: Int64
  let begun: Int
  let counted: Int
  let integrity: String
  let wrong: [String]
  /// Times that the kernel dropped events: the daemon was not given the time to read them.
  let drops: Int
  /// The session's last sign of a finger that is stored.
  let active: Int64
  /// The session was open when the daemon was killed, as it should be.
  let open: Bool

  static func all(in text: String) throws -> [Life] {
    try text.split(separator: "\n").filter { $0.hasPrefix("{") }
      .map { try JSONDecoder().decode(Life.self, from: Data($0.utf8)) }
  }
}

extension Life {
  /// How old the oldest was that is missing, in seconds. By the account; but where the kernel dropped
  /// events, landings that nobody saw cannot be told from those that were not stored.
  func ageOfMissing(by account: Account) -> Double {
    if drops > 0 { return Double(killed - active) / 1e6 }
    return max(
      account.ageOfMissing(\.landed, having: begun, since: since, end: killed),
      account.ageOfMissing(\.lifted, having: counted, since: since, end: killed))
  }
}

/// The long forms of what takes hours to show (`make endurance`), and what they say meanwhile.
enum Endurance {
  static let isWanted = ProcessInfo.processInfo.environment["TOUCHGRID_ENDURANCE"] == "1"

  /// What a kill or a power cut may cost: the checkpoint interval and one second.
  static let bound = 6.0

  /// Tells how far it is.
  static func say(_ line: String) {
    FileHandle.standardError.write(Data("endurance: \(line)\n".utf8))
  }

  /// Tells what was found: `make endurance` shows it again at its end.
  static func conclude(_ lines: String) {
    for line in lines.split(separator: "\n") { say("found: \(line)") }
  }

  /// How many of the ages lie in each second: `0-1 s: 4, 1-2 s: 7`.
  static func distribution(_ ages: [Double]) -> String {
    Dictionary(grouping: ages) { Int($0) }.sorted { $0.key < $1.key }
      .map { "\($0.key)-\($0.key + 1) s: \($0.value.count)" }.joined(separator: ", ")
  }
}

extension Double {
  /// With two places.
  var short: String { String(format: "%.2f", self) }
}
