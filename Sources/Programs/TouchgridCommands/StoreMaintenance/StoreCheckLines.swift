import Heatmaps
import Storage
import Text
import TouchModel

/// The result of a store check as lines of text.
enum StoreCheckLines {
  static func lines(
    _ results: [CheckResult], path: String, isDaemons: Bool, width: Int, colours: Bool
  ) -> [String] {
    let room = max(20, width - 13)
    let lines = results.flatMap { result -> [String] in
      let text = "\(result.name): \(result.lookedAt)"
      guard result.faultCount > 0 else {
        return Finding.ok(text).lines(width: width, colours: colours)
      }
      let head = Finding(
        level: .problem, text: "\(text); \(counted(result.faultCount, "fault"))", hint: nil)
      var faults = result.faults.map { $0.printable(limit: 400) }
      if result.faultCount > faults.count {
        faults.append("and \(result.faultCount - faults.count) more")
      }
      return head.lines(width: width, colours: colours)
        + faults.flatMap { fault in
          wrapped(fault, to: room).enumerated().map { line in
            (line.offset == 0 ? "           " : "             ") + line.element
          }
        }
    }
    let isSound = results.allSatisfy { $0.faultCount == 0 }
    return lines + (isSound ? ["The store is sound."] : advice(path, isDaemons: isDaemons))
  }

  /// Returns the remedy for a damaged store.
  /// - Parameter isDaemons: whether a daemon may be using it.
  static func advice(_ path: String, isDaemons: Bool) -> [String] {
    let name = path.printable(limit: 4096)
    return ["The store is damaged. To save what can be read, run"]
      + (isDaemons ? ["  sudo systemctl stop touchgridd"] : [])
      + [
        "  sudo touchgrid store recover \(name)",
        "The recovery does not change the damaged store, and says how to continue.",
      ]
  }
}

/// The `--json` output of a store check.
struct StoreCheckReply: Encodable {
  struct Check: Encodable {
    var name: String
    var lookedAt: String
    var faultCount: Int
    var faults: [String]

    init(_ result: CheckResult) {
      name = result.name
      lookedAt = result.lookedAt
      faultCount = result.faultCount
      faults = result.faults
    }
  }

  var store: String
  var sound: Bool
  var checks: [Check]

  init(store: String, sound: Bool, checks: [CheckResult]) {
    self.store = store
    self.sound = sound
    self.checks = checks.map(Check.init)
  }
}
