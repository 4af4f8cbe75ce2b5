import ArgumentParser
import Glibc
import Storage
import TouchModel

struct End: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "End a session in a store, again and again.")

  @Option var screens = 10
  @Option var rounds = 40
  @Argument var store: String

  func run() throws {
    let store = try Store(path: self.store)
    let sample = Sample()
    let now = Int64(time(nil)) * 1000
    var (clock, processor): ([Double], [Double]) = ([], [])
    let next = try store.nextSessionID
    let sessions = (0..<Int64(rounds)).map {
      sample.session(next + $0, screens: screens, began: now)
    }
    let memory = try Measured.memory {
      for session in sessions {
        let time = try Measured.milliseconds { try store.write(session) }
        clock.append(time.clock)
        processor.append(time.processor)
      }
    }
    print(
      #"{"clock_ms":\#(Measured.median(clock)),"processor_ms":\#(Measured.median(processor)),"#
        + #""memory_KiB":\#(memory)}"#)
  }
}
