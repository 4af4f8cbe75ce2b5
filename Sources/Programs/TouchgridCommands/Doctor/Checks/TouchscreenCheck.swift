import Text
import TouchModel

/// Checks that there is a touchscreen and that the daemon may read it.
enum TouchscreenCheck {
  /// - Parameter reader: the user that the daemon runs as.
  static func findings(_ nodes: [InputNode], hasUdev: Bool, reader: Reader) -> [Finding] {
    let touchscreens = nodes.filter(\.isTouchscreen)
    guard touchscreens.isEmpty else { return touchscreens.map { finding($0, reader) } }
    guard hasUdev else {
      return [
        .warning(
          "touchscreens cannot be identified: udev's database (/run/udev/data) is missing",
          "in a container, run this and touchgridd on the host, or bind /run/udev into the container"
        )
      ]
    }
    let untagged = nodes.filter(\.looksLikeTouchscreen)
    guard untagged.isEmpty else {
      return untagged.map {
        .problem(
          "\($0.name.printable()) (\($0.node)) has touch positions, but udev does not classify it as "
            + "a touchscreen",
          "set ID_INPUT_TOUCHSCREEN=1 for it in a rule below /etc/udev/rules.d; 'udevadm info "
            + "\($0.node)' shows what udev has now")
      }
    }
    return [
      .problem(
        "there is no touchscreen among \(counted(nodes.count, "input device"))",
        "plug it in, and look for it in the output of 'sudo dmesg': without a driver there is no "
          + "input device. 'sudo libinput list-devices' shows which devices other programs see")
    ]
  }

  private static func finding(_ node: InputNode, _ reader: Reader) -> Finding {
    let words = "\(node.name.printable()) (\(node.node))"
    guard let access = node.access else {
      return .problem(

        "the device node of \(words) is missing",
        "udev creates it; in a container, bind /dev/input into the container")
    }
    guard access.allows(4, user: reader.id, groups: reader.groups) else {
      let group = reader.groupName(access.group)
      return access.mode & 0o040 != 0
        ? .problem(
          "\(reader.name) may not read \(words)",
          "the group \(group) may read it: run 'sudo usermod -aG \(group) \(reader.name)' (or add "
            + "SupplementaryGroups=\(group) to the daemon's systemd unit), then restart the "
            + "daemon; if you start it yourself, log in again before")
        : .problem(
          "\(reader.name) may not read \(words), and no group may",
          "a udev rule with GROUP=\"input\", MODE=\"0660\" gives access to the group \"input\"")
    }
    return .ok("touchscreen \(words), which \(reader.name) may read")
  }
}

/// The user that reads touchscreens.
struct Reader {
  var name: String
  var id: UInt32
  var groups: Set<UInt32>
  var groupName: (UInt32) -> String = { String($0) }
}
