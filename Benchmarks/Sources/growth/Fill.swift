import ArgumentParser
import Glibc
import Storage
import TouchModel

struct Fill: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write sessions of one screen each into a store, on the last 90 days.")

  @Option var sessions = 1000
  @Argument var store: String

  func run() throws {
    let store = try Store(path: self.store)
    let sample = Sample()
    let first = try store.nextSessionID
    let (days, length) = (Int64(90), Int64(86_400_000))
    let today = Int64(time(nil)) * 1000 / length * length
    var id = first
    for day in 0..<days {
      let midnight = today - (days - day) * length
      let end = first + Int64(sessions) * (day + 1) / days
      let step = length / max(1, end - id)
      for number in 0..<(end - id) {
        try store.write(sample.session(id, screens: 1, began: midnight + number * step))
        id += 1
      }
      try store.rollUp(today: store.day(of: WallTime(milliseconds: midnight + length)))
    }
  }
}
