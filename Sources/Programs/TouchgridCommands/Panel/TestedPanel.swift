import ArgumentParser
import Glibc
import Reports
import Text
import TouchInput
import TouchModel
import TouchgridAPI

/// The tested touchscreen, and the daemon's data about it.
struct TestedPanel {
  let reader: PanelReader
  /// nil if no daemon runs, or if it does not read this touchscreen.
  let placement: Placement?
  let machine: SetupMachine

  var touchscreen: Touchscreen { reader.touchscreen }
  var panel: ContactProtocol { touchscreen.decoder.contactProtocol }
  /// The daemon's description; nil as for `placement`.
  var device: API.Device? { machine.touchscreen(touchscreen.key) }

  /// - Parameter wanted: the key or name of the touchscreen; nil for the only one.
  init(_ wanted: String?, _ machine: SetupMachine) throws(Failure) {
    let all = try PanelReader.touchscreens()
    let found = all.filter { touchscreen in
      wanted.map { touchscreen.key == $0 || touchscreen.description.name == $0 } ?? true
    }
    guard let first = found.first else {
      guard geteuid() == 0 else {
        throw Failure("only root may read a touchscreen directly: use sudo")
      }
      guard let wanted else {
        throw Failure("there is no touchscreen; 'touchgrid doctor' looks for the reason")
      }
      throw Failure("there is no touchscreen \(wanted.quoted); there is: \(Self.list(all))")
    }
    guard found.count == 1 else {
      throw Failure("there are several touchscreens: choose one with --device: \(Self.list(found))")
    }
    reader = PanelReader(first)
    self.machine = machine
    placement = machine.touchscreen(first.key).flatMap { machine.placement(of: $0) }
  }

  /// The touchscreen and its ranges, as lines are counted in them.
  var key: PanelKey {
    let isKnown = panel.x.resolution > 0 && panel.y.resolution > 0
    func axis(_ range: Placement.Range?, _ axis: AxisInfo) -> PanelAxis {
      PanelAxis(
        minimum: range?.minimum ?? axis.minimum, maximum: range?.maximum ?? axis.maximum,
        resolution: isKnown ? axis.resolution : 0)
    }
    return PanelKey(
      device: touchscreen.key, x: axis(placement?.x, panel.x), y: axis(placement?.y, panel.y))
  }

  /// Whether the raw x axis lies along the height of the display.
  private var isAcross: Bool {
    placement.map { abs($0.matrix.values[1]) > abs($0.matrix.values[0]) } ?? false
  }

  /// Whether the width of the picture lies along the raw y axis.
  var isTurned: Bool {
    let rotation = placement?.geometry.rotation ?? .none
    return isAcross != (rotation == .quarter || rotation == .threeQuarters)
  }

  private static func list(_ touchscreens: [Touchscreen]) -> String {
    touchscreens.map { "\($0.key) (\($0.description.name.printable()))" }.inOneLine
  }

  // MARK: Size

  /// - Parameter size: the size that the user measured, before rotation.
  /// - Throws: an error if the size is unknown.
  func surface(_ size: MillimetresArgument?) throws(Failure) -> PanelSurface {
    let x = placement.map { $0.x.minimum...$0.x.maximum } ?? panel.x.minimum...panel.x.maximum
    let y = placement.map { $0.y.minimum...$0.y.maximum } ?? panel.y.minimum...panel.y.maximum
    func surface(_ size: PanelSize, _ source: PanelSurface.SizeSource) -> PanelSurface? {
      PanelSurface(
        x: x, y: y, width: isAcross ? size.height : size.width,
        height: isAcross ? size.width : size.height, sizeSource: source)
    }
    let monitor = machine.connectors.first { $0.name == placement?.display }?.panelSize
    let found =
      size.flatMap { surface($0.size, .option) }
      ?? PanelSurface(x: x, y: y, resolutionOf: panel) ?? monitor.flatMap { surface($0, .monitor) }
    guard let found else {
      throw Failure(
        "the limits are in mm, and neither the driver nor the monitor says how large the panel is: "
          + "measure it, and add --size WIDTHxHEIGHT")
    }
    return found
  }
}

/// A size in mm, `WIDTHxHEIGHT`.
struct MillimetresArgument: Equatable, FormedArgument {
  static let forms = "WIDTHxHEIGHT in mm, such as 344x194"

  let size: PanelSize

  init?(argument: String) {
    let words = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ $0.allSatisfy("0123456789.".contains) }),
      let width = Double(words[0]), let height = Double(words[1]),
      let size = PanelSize(width: width, height: height)
    else { return nil }
    self.size = size
  }

  static func == (left: Self, right: Self) -> Bool { left.size == right.size }
}
