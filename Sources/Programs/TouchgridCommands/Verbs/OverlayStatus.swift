import ArgumentParser
import Text
import TouchModel

extension Overlay {
  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Shows whether the overlay is on, since when, its options and its last message.",
      discussion: """
        Exit status: 0 on; 3 off, starting or stopping; 1 unknown.

        --json prints isOn and, if known, sinceAtMs (milliseconds since 1970), text (its last \
        message), options, and failure (why it ended by itself).
        """)

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let state = try OverlayState(UserManager(for: .offOrStatus))
      if json {
        try writeJSON(Reply(state))
      } else {
        try writeLines(Self.lines(state, width: Terminal.width))
      }
      if state.activity != .on { throw ExitCode(3) }
    }

    struct Reply: Encodable {
      var isOn: Bool
      var sinceAtMs: Int64?
      var text: String?
      var options: [String]?
      var failure: String?

      init(_ state: OverlayState) {
        isOn = state.activity == .on
        sinceAtMs = state.since?.milliseconds
        text = isOn && !state.text.isEmpty ? state.text : nil
        options = isOn ? state.options : nil
        failure = state.failure
      }
    }

    static func lines(_ state: OverlayState, width: Int) -> [String] {
      switch state.activity {
      case .off where !state.isInstalled:
        return ["The overlay is off: the package touchgrid-overlay is not installed."]
      case .off:
        return [state.failure.map { "The overlay is off: \($0)" } ?? "The overlay is off."]
      case .starting: return ["The overlay is starting."]
      case .ending: return ["The overlay is stopping."]
      case .on:
        var facts = [("message", state.text.isEmpty ? "none" : state.text)]
        if let since = state.since.flatMap({ LocalTime($0) }) {
          facts.insert(("since", "\(since.dateText) \(since.clockText)"), at: 0)
        }
        let words = state.options.map { $0.contains(" ") ? "'\($0)'" : $0 }
        let options = words.isEmpty ? "none" : words.joined(separator: " ")
        return FactSheet(title: "The overlay is on", facts: facts + [("options", options)])
          .lines(width: width)
      }
    }
  }
}
