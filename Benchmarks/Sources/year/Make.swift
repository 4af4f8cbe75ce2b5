import ArgumentParser
import Glibc
import Storage
import TouchModel

/// Makes a store like the one that the daemon would have written.
struct Make: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Make the store of a busy kiosk, up to yesterday.")

  @Option(help: "How many sessions.")
  var sessions = 100_000
  @Option(help: "On how many days.")
  var days = 365
  @Option(help: "How long sessions are kept, in days.")
  var keep = 90
  @Option(help: "The same seed gives the same touches.")
  var seed: UInt64 = 1
  @Flag(help: "Leave controls and changes of screens out.")
  var plain = false
  @Argument(help: "The database; there must be none.")
  var store: String

  func validate() throws {
    guard sessions > 0, days > 0, keep >= 0 else { throw ValidationError("numbers above 0") }
  }

  func run() throws {
    guard unsafe access(store, F_OK) != 0 else {
      throw ValidationError("\(store) is there already")
    }
    guard let visit = Visit(isPlain: plain) else { throw ExitCode.failure }
    var dice = Dice(seed)
    let store = try Store(path: self.store)
    var id = try store.nextSessionID
    let dayLength: Int64 = 86_400_000
    let today = Int64(time(nil)) * 1000 / dayLength * dayLength
    let isTerminal = isatty(STDERR_FILENO) != 0
    for day in 0..<days {
      let midnight = today - Int64(days - day) * dayLength
      let count = sessions * (day + 1) / days - sessions * day / days
      // The shop is open from 8:00 to 20:00.
      let times = (0..<count).map { _ in
        midnight + Int64.random(in: 8 * 3_600_000..<20 * 3_600_000, using: &dice)
      }
      for began in times.sorted() {
        try store.write(visit.session(id, began: began, &dice))
        id += 1
      }
      let night = WallTime(milliseconds: midnight + dayLength)
      try store.rollUp(today: store.day(of: night))
      let old = WallTime(milliseconds: night.milliseconds - Int64(keep) * dayLength)
      let last = try store.sessions(in: TimeSpan(until: old)).map(\.record.id).max()
      try store.retain(through: last ?? 0, maxSize: nil)
      if isTerminal || day % 50 == 49 || day == days - 1 {
        let end = isTerminal && day < days - 1 ? "\r" : "\n"
        var line = Array("day \(day + 1) of \(days), session \(id - 1) of \(sessions)\(end)".utf8)
        _ = unsafe write(STDERR_FILENO, &line, line.count)
      }
    }
    try store.rollUp(today: store.day(of: WallTime(milliseconds: today)))
  }
}
