import ArgumentParser
import Heatmaps
import Text
import TouchModel
import TouchgridAPI

struct Devices: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the touchscreens, including those that are not read.",
    discussion: """
      Prints the properties of each touchscreen and its display. The words in brackets say where \
      the ranges, the calibration matrix and the display are known from: configuration, udev, \
      kernel, WL_OUTPUT (a property that udev sets), drm (the kernel's graphics) or guess. Exit \
      status 1 if the daemon reads no touchscreen.
      """)

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON (GetDevices of the interface io.touchgrid).")
  var json = false

  func run() throws {
    let reply = try socket.connect().call(API.GetDevices())
    if json {
      try writeJSON(reply)
    } else if reply.devices.isEmpty, reply.refused.isEmpty {
      throw Failure("there is no touchscreen; 'touchgrid doctor' looks for the reason")
    } else {
      let sheets = reply.devices.map(Self.sheet) + reply.refused.map(Self.sheet)
      try writeLines(FactSheet.lines(sheets, width: Terminal.width))
    }
    if reply.devices.isEmpty { throw ExitCode.failure }
  }

  static func sheet(_ device: API.Device) -> FactSheet {
    let matrix = device.matrix.map { roundedDigits($0) }.joined(separator: " ")
    return FactSheet(
      title: device.name.printable(),
      facts: [
        ("key", device.key.printable(limit: 300)),
        ("node", node(device)), ("touches", contacts(device)),
        (
          "ranges",
          "x \(device.x.words), y \(device.y.words) (\(device.rangeSource.rawValue))"
        ),
        ("matrix", "\(matrix) (\(device.matrixSource.rawValue))"),
        ("display", "\(device.display.printable()) (\(device.displaySource.rawValue))"),
        ("counted", device.tally.words),
      ])
  }

  private static func node(_ device: API.Device) -> String {
    let node = device.node?.printable() ?? "none: a recording is replayed"
    return node + (device.isVirtual ? ", created by a program (uinput)" : "")
  }

  private static func contacts(_ device: API.Device) -> String {
    let kind =
      switch device.contactProtocol {
      case .slots: "up to \(device.slots) touches at once (multitouch protocol B)"
      // The daemon does not pass more contacts to libmtdev.
      case .anonymous: "up to \(min(device.slots, 15)) touches at once (multitouch protocol A)"
      case .single: "one touch at a time"
      }
    let down = "\(device.touchesDown) down"
    // The daemon rounds down to whole minutes.
    let silence =
      device.silentForMs.map {
        $0 < 60_000
          ? ", last event less than a minute ago" : ", no events for \(longDuration($0))"
      } ?? (device.tally.touches == 0 ? ", no events so far" : "")
    let grabbed =
      device.touchesDown == 0 && (device.unheardContacts ?? 0) > 0
      ? "; the kernel sees touches that do not arrive: another program has grabbed the device"
      : ""
    return "\(kind); \(down)\(silence)\(grabbed)"
  }

  static func sheet(_ device: API.RefusedDevice) -> FactSheet {
    FactSheet(
      title: "NOT READ: \(device.name.printable())",
      facts: [
        ("node", device.node.printable()), ("reason", device.reason.printable(limit: 1000)),
      ])
  }
}

extension API.Range {
  fileprivate var words: String { "\(minimum) to \(maximum)" }
}
