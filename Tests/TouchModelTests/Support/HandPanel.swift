import TestSupport
import Testing

@testable import TouchModel

extension Hand.Intent {
  var gesture: Gesture {
    switch self {
    case .tap: .tap
    case .doubleTap: .doubleTap
    case .longPress: .longPress
    case .swipeLeft: .swipeLeft
    case .swipeRight: .swipeRight
    case .swipeUp: .swipeUp
    case .swipeDown: .swipeDown
    case .drag: .drag
    case .pinch: .pinch
    case .spread: .spread
    case .turn: .turn
    case .fingersTap: .fingersTap
    }
  }
}

/// A touchscreen that lies on a display of known size.
struct HandPanel {
  let width: Double
  let height: Double
  private let placement: Placement
  private let range: Double

  /// - Parameters:
  ///   - width: in mm.
  ///   - pixels: the width of the display; its height follows.
  init(
    width: Double, height: Double, pixels: Int, scale: Double = 1, rotation: Rotation = .none,
    maximum: Int32 = 4095, display: String = "DSI-1"
  ) throws {
    (self.width, self.height, range) = (width, height, Double(maximum) + 1)
    placement = try #require(
      .test(
        x: 0...maximum, y: 0...maximum, display: display, width: pixels,
        height: Int((Double(pixels) * height / width).rounded()), scale: scale, rotation: rotation))
  }

  func add(to kiosk: inout Kiosk) throws -> Int {
    kiosk.recorder.panelSizes[placement.display] = PanelSize(width: width, height: height)
    return try kiosk.add(placement)
  }

  func raw(_ report: Hand.Report) -> (x: Int32, y: Int32) {
    func unit(_ part: Double) -> Int32 { Int32(max(0, min(range - 1, part * range))) }
    return (unit(report.x / width), unit(report.y / height))
  }
}

extension Kiosk {
  /// Plays a hand, each finger in the slot of its number.
  mutating func play(_ reports: [Hand.Report], on panel: HandPanel, _ device: Int) {
    var time: Int64 = 0
    var down: Set<Int> = []
    for report in reports {
      pass(report.time - time)
      time = report.time
      let (x, y) = panel.raw(report)
      if !report.isDown {
        down.remove(report.finger)
        up(device, report.finger)
      } else if down.insert(report.finger).inserted {
        self.down(device, report.finger, x, y)
      } else {
        move(device, report.finger, x, y)
      }
    }
  }
}
