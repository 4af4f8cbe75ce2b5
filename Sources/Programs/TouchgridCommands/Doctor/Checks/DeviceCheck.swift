import Text
import TouchModel
import TouchgridAPI

/// Checks the touchscreens as the daemon sees them.
enum DeviceCheck {
  /// - Parameter holders: the programs that have each node open, as far as this user can see.
  static func findings(
    _ reply: API.GetDevices.Reply, _ displays: [API.Display], holders: [String: [Holder]]
  ) -> [Finding] {
    var findings: [Finding] = []
    if reply.devices.isEmpty {
      findings.append(
        .problem("the daemon reads no touchscreen", "see the other checks for the cause"))
    }
    for device in reply.devices {
      findings.append(grab(device, holders[device.node ?? ""] ?? []))
      findings += device.wrongRanges().map {
        .problem("\(device.name.printable()): \($0.text)", $0.remedy)
      }
      findings += guesses(device, displays.first { $0.name == device.display })
    }
    findings += reply.refused.map {
      .warning(
        "\($0.name.printable()) (\($0.node.printable())) is not read",
        $0.reason.printable(limit: 1000))
    }
    return findings
  }

  private static func grab(_ device: API.Device, _ holders: [Holder]) -> Finding {
    let name = device.name.printable()
    let others = holders.filter { $0.program != "touchgridd" }
    let suspects = others.filter(\.isGrabber)
    if device.touchesDown == 0, (device.unheardContacts ?? 0) > 0 {
      let words = (suspects.isEmpty ? others : suspects).map(\.words).joined(separator: ", ")
      return .problem(
        "\(name): the kernel sees touches, but none arrives: another program has grabbed the device",
        words.isEmpty
          ? "hold a finger on it and run 'sudo touchgrid doctor', which names the programs that "
            + "have it open; typical ones are input remappers and screen lockers"
          : "the device is open in \(words): stop that program, or exclude the device in that "
            + "program's configuration"
      )
    }
    if !suspects.isEmpty {
      let words = suspects.map(\.words).joined(separator: ", ")
      return .warning(
        "\(name) is open in \(words), which may take all its touches",
        "'touchgrid doctor --touch' checks that touches arrive; if not, stop that program")
    }
    let last =
      device.silentForMs.map {
        // The daemon rounds down to whole minutes.
        "its last event was " + ($0 < 60_000 ? "less than a minute" : longDuration($0)) + " ago"
      }
      ?? (device.tally.touches == 0
        ? "it has sent no events yet" : "it has sent \(device.tally.words)")
    return .ok("\(name) is read; \(last)")
  }

  private static func guesses(_ device: API.Device, _ display: API.Display?) -> [Finding] {
    let name = device.name.printable()
    if device.displaySource == .guess {
      return [
        .warning(
          "the display of \(name) is guessed (\(device.display.printable()))",
          "name it in a [[device]] of the configuration, usually /etc/touchgrid/touchgridd.toml "
            + "(display = \"HDMI-A-1\"), or with udev's WL_OUTPUT")
      ]
    }
    if let display, display.geometrySource == .guess {
      return [
        .warning(
          "the size of \(display.name.printable()), the display of \(name), is guessed "
            + "(\(display.geometry.text))",
          "give its width and height in a [[display]] of the configuration, usually "
            + "/etc/touchgrid/touchgridd.toml")
      ]
    }
    return []
  }
}

extension Holder {
  fileprivate var words: String { "\(program) (process \(process))" }
}
