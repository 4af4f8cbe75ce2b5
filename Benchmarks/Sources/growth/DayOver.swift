import ArgumentParser
import Glibc
import Storage
import TouchModel

struct DayOver: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "day", abstract: "Fill a day, roll it up, ask for it, and drop its sessions.")

  @Option var sessions = 2000
  @Option var screens = 10
  @Flag(help: "Only fill it: the rest is for a process with nothing in its memory.") var fill =
    false
  @Argument var store: String

  func run() throws {
    let store = try Store(path: self.store)
    let sample = Sample()
    let length: Int64 = 86_400_000
    let today = Int64(time(nil)) * 1000 / length * length
    let next = try store.nextSessionID
    if fill {
      for number in 0..<Int64(sessions) {
        try store.write(
          sample.session(
            next + number, screens: screens,
            began: today - length + number * (length / Int64(sessions))))
      }
      return
    }
    let midnight = store.day(of: WallTime(milliseconds: today))
    var times: [(clock: Double, processor: Double)] = []
    let memory = try Measured.memory {
      times.append(try Measured.milliseconds { try store.rollUp(today: midnight) })
    }
    times.append(
      try Measured.milliseconds {
        _ = try store.grids(screen: nil, layer: .taps, in: TimeSpan())
      })
    times.append(try Measured.milliseconds { try store.retain(through: next - 1, maxSize: nil) })
    print(
      #"{"roll_up_ms":\#(times[0].processor),"memory_KiB":\#(memory),"ask_ms":\#(times[1].clock),"#
        + #""drop_ms":\#(times[2].clock)}"#)
  }
}
