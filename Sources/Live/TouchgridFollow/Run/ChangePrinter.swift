internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI

/// Prints the changes that the daemon would receive, one per line.
struct ChangePrinter {
  let isJSON: Bool

  private struct Line: Encodable {
    var atUs: Int64
    var screen: String
    var display: String?
    var masked: Bool
    var app: String?
    var title: String?
    var url: String?
  }

  func print(_ change: ShownScreens.Change) {
    let sighting = change.sighting
    let url = sighting?.plainAddress
    if isJSON {
      let line = Line(
        atUs: change.time, screen: change.name, display: change.display, masked: change.isMasked,
        app: sighting?.app, title: sighting?.title, url: url)
      guard let bytes = JSON.encodedObject(line) else { return }
      Self.write(String(decoding: bytes, as: UTF8.self).printableJSON + "\n")
      return
    }
    let seen = [sighting?.app, url ?? sighting?.title]
      .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    let parts = [
      time(change.time), change.name, change.isMasked ? "(masked)" : "",
      change.display.map { "on \($0)" } ?? "", seen.isEmpty ? "" : "< \(seen)",
    ]
    Self.write(
      parts.filter { !$0.isEmpty }.joined(separator: "  ").printable(limit: 300) + "\n")
  }

  private struct ControlsLine: Encodable {
    struct Control: Encodable {
      var name: String
      var x: Double
      var y: Double
      var width: Double
      var height: Double
    }

    var screen: String
    var display: String?
    /// The size of the display's picture, in the units of the controls.
    var width: Double
    var height: Double
    var controls: [Control]
    var secrets: [Control]
  }

  /// Prints the controls of a screen, in the units of their source.
  func print(_ list: ShownControls.List) {
    func control(_ name: String, _ rectangle: Rectangle) -> ControlsLine.Control {
      ControlsLine.Control(
        name: name, x: rectangle.x, y: rectangle.y, width: rectangle.width,
        height: rectangle.height)
    }
    let line = ControlsLine(
      screen: list.screen, display: list.display, width: list.observed.width,
      height: list.observed.height,
      controls: ControlNames.controls(list.observed.items, scaledBy: 1)
        .map { control($0.name, $0.rectangle) },
      secrets: list.observed.secrets.map { control("secret", $0) })
    if isJSON {
      guard let bytes = JSON.encodedObject(line) else { return }
      return Self.write(String(decoding: bytes, as: UTF8.self).printableJSON + "\n")
    }
    for control in line.controls + line.secrets {
      let place = [control.x, control.y, control.width, control.height]
        .map { "\(Int($0.rounded()))" }.joined(separator: ",")
      Self.write("  \(place)  \(control.name.printable(limit: 150))\n")
    }
  }

  private struct ResponseLine: Encodable {
    var screen: String
    var display: String?
    var control: String
    var responseMs: Int64?
  }

  /// Prints the response of a page to a touch of a control.
  func print(_ response: API.AddResponse) {
    if isJSON {
      let line = ResponseLine(
        screen: response.screen, display: response.display, control: response.control,
        responseMs: response.responseMs)
      guard let bytes = JSON.encodedObject(line) else { return }
      return Self.write(String(decoding: bytes, as: UTF8.self).printableJSON + "\n")
    }
    let time = response.responseMs.map { "after \($0) ms" } ?? "not within 2.5 s"
    Self.write("  \(response.control.printable(limit: 150)): the page changed \(time)\n")
  }

  /// Formats a time on `CLOCK_MONOTONIC`, in µs, as the time of day in UTC. It includes
  /// milliseconds, because changes may follow each other closely.
  private func time(_ monotonic: Int64) -> String {
    let wall = Clocks.wall - (Clocks.monotonic - monotonic) / 1000
    let day = wall % 86_400_000
    let parts = [day / 3_600_000, day / 60_000 % 60, day / 1000 % 60]
    let text = parts.map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    let rest = "\(1000 + day % 1000)".dropFirst()
    return "\(text).\(rest)Z"
  }

  static func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes bytes to standard output.
  static func write(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      sent += count
    }
  }
}
