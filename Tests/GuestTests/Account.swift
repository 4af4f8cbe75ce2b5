import Foundation

/// The account that `fingers.py` keeps of the touch-downs and touch-ups it sends, frame by frame.
/// It survives a power cut of the guest. Times are in µs of the guest's `CLOCK_MONOTONIC`.
struct Account {
  struct Frame {
    var time: Int64
    /// The number of touch-downs and touch-ups up to this frame.
    var landed: Int
    var lifted: Int
  }

  /// At least one frame. The last one is the guest's last sign of life.
  let frames: [Frame]

  init(_ file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    // The last line may be incomplete.
    frames = text.split(separator: "\n").prefix(text.count { $0 == "\n" }).compactMap { line in
      let numbers = line.split(separator: " ").compactMap { Int64($0) }
      guard numbers.count == 3 else { return nil }
      return Frame(time: numbers[0], landed: Int(numbers[1]), lifted: Int(numbers[2]))
    }
    guard !frames.isEmpty else { throw Guest.Failure(description: "no finger drew: \(file.path)") }
  }

  var end: Int64 { frames[frames.count - 1].time }

  /// The time for which the fingers drew, in seconds.
  var seconds: Double { Double(end - frames[0].time) / 1e6 }

  /// The longest time between two frames, in seconds.
  var longestPause: Double {
    Double(zip(frames, frames.dropFirst()).map { $1.time - $0.time }.max() ?? 0) / 1e6
  }

  /// The number of all touch-downs.
  var landed: Int { frames[frames.count - 1].landed }

  /// Returns the age, at the end, of the oldest missing touch-down or touch-up.
  /// - Parameter count: The number of touch-downs or touch-ups that are not missing.
  /// - Returns: The age in seconds, or 0 if none is missing.
  func ageOfMissing(_ what: KeyPath<Frame, Int>, having count: Int) -> Double {
    guard let oldest = frames.first(where: { $0[keyPath: what] > count }) else { return 0 }
    return Double(end - oldest.time) / 1e6
  }
}

/// The output of `books.py` for a store.
struct Books: Decodable {
  let version: Int
  let integrity: String
  let wrong: [String]
  let sessions: Int
  /// The touches of all sessions ever stored, including those that the daemon has dropped since.
  let begun: Int
  let counted: Int
  let last: Last?

  struct Last: Decodable {
    let id: Int
    let endReason: String?
  }

  var areSound: Bool { integrity == "ok" && wrong.isEmpty }

  /// - Parameter text: Lines of JSON, one for each reading of a store.
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

/// The long versions of tests that take hours (`make endurance`), and their output.
enum Endurance {
  static let isWanted = ProcessInfo.processInfo.environment["TOUCHGRID_ENDURANCE"] == "1"

  /// The time, in seconds, whose touches a power cut may lose at most: the checkpoint interval and
  /// one second.
  static let bound = 6.0

  /// Reports progress.
  static func say(_ line: String) {
    FileHandle.standardError.write(Data("endurance: \(line)\n".utf8))
  }

  /// Reports a result, which `make endurance` repeats at its end.
  static func conclude(_ lines: String) {
    for line in lines.split(separator: "\n") { say("found: \(line)") }
  }

  /// Returns how many of the ages lie in each second: `0-1 s: 4, 1-2 s: 7`.
  static func distribution(_ ages: [Double]) -> String {
    Dictionary(grouping: ages) { Int($0) }.sorted { $0.key < $1.key }
      .map { "\($0.key)-\($0.key + 1) s: \($0.value.count)" }.joined(separator: ", ")
  }
}

extension Double {
  /// The number with two decimals.
  var short: String { String(format: "%.2f", self) }
}
