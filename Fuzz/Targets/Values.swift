internal import TouchFeedback

@testable import ConfigurationFiles
@testable import Storage
@testable import TouchModel
@testable import TouchgridCommands
@testable import TouchgridDaemon

/// Fuzzes short texts: arguments of the command line, quantities in the configuration and udev
/// properties. The first byte chooses the kind.
func fuzzValues(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  let which = source.byte() % 12
  guard let text = source.text() else { return }
  switch which {
  case 0:
    guard let time = TimeArgument(text) else { return }
    let now = WallTime(milliseconds: 1_714_521_600_000)
    if let start = time.start(now: now), let end = time.end(now: now) {
      must(start <= end, "a time ends after it begins")
    }
  case 1:
    guard let duration = DurationArgument(argument: text) else { return }
    must(duration.milliseconds >= 0, "a duration is not negative")
  case 2:
    guard let offset = OffsetArgument(argument: text) else { return }
    must(offset.microseconds.magnitude <= 360_000_000_000, "an offset is at most 100 hours")
  case 3: _ = AreaArgument(argument: text)
  case 4: _ = RectangleArgument(argument: text)
  case 5: _ = PixelsArgument(argument: text)
  case 6:
    guard let tag = TagArgument(argument: text) else { return }
    must("\(tag.key)=\(tag.value)" == text, "a tag is all of its text")
  case 7: place(text)
  case 8: read(text, .duration)
  case 10:
    guard let weekdays = WeekdaysArgument(argument: text)?.weekdays else { return }
    must(!weekdays.isEmpty, "a list of weekdays is not empty")
  case 11:
    guard let hours = HoursArgument(argument: text)?.hours else { return }
    let count = (0..<24).filter { hours.contains($0) }.count
    must((1...23).contains(count), "hours are neither none nor all: \(count)")
  default: read(text, .size)
  }
}

private func read(_ text: String, _ quantity: Quantity) {
  guard case .value(let value) = quantity.read(text) else { return }
  must(value >= 0, "a quantity is not negative")
  must(quantity.read(quantity.write(value)) == .value(value), "read as it was written")
}

/// Places a panel on a display. The lines of `text` are the udev properties
/// `LIBINPUT_CALIBRATION_MATRIX` and `WL_OUTPUT` and the device's name.
private func place(_ text: String) {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  guard let contacts = try? ContactProtocol(of: touchscreen(slots: 2)) else { return }
  let assignment = DisplayAssignment(configuration: Configuration())
  let result = assignment.place(
    PanelIdentity(
      key: "key", name: lines.count > 2 ? lines[2] : "", contactProtocol: contacts,
      calibration: lines[0], output: lines.count > 1 ? lines[1] : nil),
    connectors: [])
  guard let placement = result?.placement else { fatalError("a panel lies somewhere") }
  for (x, y) in [(0, 0), (1023, 767), (Int32.max, Int32.min)] as [(Int32, Int32)] {
    let located = placement.locate(rawX: x, rawY: y)
    must(
      located.point.x.isFinite && located.point.y.isFinite, "a point is somewhere: \(located)")
  }
}
