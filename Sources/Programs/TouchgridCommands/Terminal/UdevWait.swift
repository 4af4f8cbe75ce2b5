import Glibc
import LinuxIO

/// Waits until udev has processed a device node. Only then do readers see it with its tags and
/// permissions.
enum UdevWait {
  /// The longest wait, in seconds. There is no wait on a machine without udev, such as a container.
  private static let limit = 5

  static func untilSettled(_ node: String) {
    guard unsafe access("/run/udev", F_OK) == 0, let record = record(of: node) else { return }
    let end = Clocks.monotonic + Int64(limit) * 1_000_000
    while unsafe access(record, F_OK) != 0 {
      guard Clocks.monotonic < end else {
        return writeError(
          "udev did not process \(node) within \(limit) s; continuing anyway")
      }
      pause(0.01)
    }
  }

  /// Whether udev's rules set a property of a node.
  static func hasProperty(_ name: String, _ node: String) -> Bool {
    guard let record = record(of: node), let text = Files.text(record) else { return false }
    return text.split(separator: "\n").contains { $0.hasPrefix("E:\(name)=") }
  }

  /// Returns the path of a node's entry in udev's database; nil if there is no such node.
  private static func record(of node: String) -> String? {
    var status = stat()
    guard unsafe stat(node, &status) == 0 else { return nil }
    // Input nodes have the major number 13. In a `dev_t` of glibc, the low 8 bits of the minor
    // number are the lowest bits, and the others are above the major number.
    let minor = status.st_rdev & 0xff | status.st_rdev >> 12 & 0xfff00
    return "/run/udev/data/c13:\(minor)"
  }
}

/// Sleeps.
/// - Parameter seconds: 0...86,400.
func pause(_ seconds: Double) {
  guard seconds > 0 else { return }
  var end = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &end)
  let nanoseconds = end.tv_nsec + Int((seconds - seconds.rounded(.down)) * 1e9)
  end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
  end.tv_nsec = nanoseconds % 1_000_000_000
  while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil) == EINTR {}
}
