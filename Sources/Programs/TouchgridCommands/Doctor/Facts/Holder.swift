import Glibc
import Text
import TouchModel

/// A program that has a device open.
struct Holder: Hashable {
  var process: Int32
  /// The name in `/proc/PID/comm`: at most 15 bytes.
  var program: String

  /// Programs that grab devices, so that no other program gets their events.
  static let grabbers: Set<String> = [
    "evremap", "evsieve", "evtest", "input-remapper", "input-remapper-", "inputplumber",
    "intercept",
    "kanata", "keyd", "kmonad", "makima", "xremap",
  ]

  var isGrabber: Bool { Self.grabbers.contains(program) }

  /// Returns the programs that have each of these nodes open. Only root sees the programs of other
  /// users.
  /// - Parameter root: the folder that contains `proc`.
  static func all(of nodes: Set<String>, root: String = "") -> [String: [Holder]] {
    var holders: [String: [Holder]] = [:]
    guard !nodes.isEmpty else { return holders }
    for name in Files.names(in: "\(root)/proc") {
      guard let process = Int32(name), process != getpid() else { continue }
      let folder = "\(root)/proc/\(name)"
      let open = Set(
        Files.names(in: "\(folder)/fd").compactMap { Files.destination("\(folder)/fd/\($0)") })
      for node in open.intersection(nodes) {
        let program = String((Files.text("\(folder)/comm") ?? "?").prefix { $0 != "\n" })
        holders[node, default: []].append(Holder(process: process, program: program.printable()))
      }
    }
    return holders
  }
}
