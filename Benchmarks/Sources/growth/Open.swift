import ArgumentParser
import Storage
import TouchModel

struct Open: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Open a store, and ask it for one screen of all its days.")

  @Option var rounds = 20
  @Argument var store: String

  func run() throws {
    var opening: [Double] = []
    var asking: [Double] = []
    for _ in 0..<rounds {
      var store: Store?
      opening.append(try Measured.milliseconds { store = try Store(path: self.store) }.clock)
      let time = try Measured.milliseconds {
        _ = try store?.grids(screen: "screen 7", layer: .taps, in: TimeSpan())
      }
      asking.append(time.clock)
    }
    print(
      #"{"open_ms":\#(Measured.median(opening)),"ask_ms":\#(Measured.median(asking))}"#)
  }
}
