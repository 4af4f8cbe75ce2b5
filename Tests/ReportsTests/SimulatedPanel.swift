import Testing
import TouchModel

@testable import Reports

/// A panel with known faults, on which a finger draws. Positions are in mm.
struct SimulatedPanel {
  let surface: PanelSurface
  /// The time between two reports, in µs.
  var interval: Int64 = 10_000
  /// Moves a place, as a bent panel does.
  var bend: (_ x: Double, _ y: Double) -> (x: Double, y: Double) = { ($0, $1) }
  /// Whether a place is reported.
  var senses: (_ x: Double, _ y: Double) -> Bool = { _, _ in true }

  init() throws {
    surface = try #require(
      PanelSurface(
        x: 0...16_000, y: 100...9_100, width: 320, height: 180, sizeSource: .kernel))
  }

  func sample(_ x: Double, _ y: Double, at time: Int64) -> PanelStroke.Sample {
    let place = bend(x, y)
    return PanelStroke.Sample(
      time: Timestamp(microseconds: time), x: Int32((place.x * 50).rounded()),
      y: Int32(100 + (place.y * 50).rounded()))
  }

  /// Returns the touches that a straight line makes.
  /// - Parameters:
  ///   - speed: in mm per second.
  ///   - wobble: moves the finger across the line, by its travel.
  func line(
    from: (x: Double, y: Double), to: (x: Double, y: Double), speed: Double = 150,
    wobble: (Double) -> Double = { _ in 0 }
  ) -> [PanelStroke] {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let length = (dx * dx + dy * dy).squareRoot()
    var strokes: [PanelStroke] = []
    var isDown = false
    for step in 0...Int(length / speed * 1e6 / Double(interval)) {
      let travel = min(length, Double(step) * speed * Double(interval) / 1e6)
      let off = wobble(travel)
      let x = from.x + (dx * travel - dy * off) / length
      let y = from.y + (dy * travel + dx * off) / length
      let time = Int64(step + 100) * interval
      guard senses(x, y) else {
        isDown = false
        continue
      }
      let sample = sample(x, y, at: time)
      if isDown {
        strokes[strokes.count - 1].samples.append(sample)
      } else {
        strokes.append(PanelStroke(samples: [sample], end: sample.time))
      }
      isDown = true
      strokes[strokes.count - 1].end = sample.time + interval
    }
    return strokes
  }

  func measures(
    _ strokes: [PanelStroke], of kind: PanelTestStep.Kind = .line
  ) -> PanelMeasures { PanelMeasures(strokes, of: kind, on: surface) }

  /// Returns the result of a whole test by a robot.
  func result() throws -> PanelTestResult {
    let (width, height) = (surface.width, surface.height)
    let steps = PanelTestStep.all.map { step in
      let strokes: [PanelStroke] =
        switch step.kind {
        case .line, .edge:
          step.lines.flatMap { part in
            line(
              from: (part.from.x * width, part.from.y * height),
              to: (part.to.x * width, part.to.y * height))
          }
        case .hold:
          [
            PanelStroke(
              samples: step.lines.map {
                sample($0.from.x * width, $0.from.y * height, at: 1_000_000)
              }, end: Timestamp(microseconds: 4_000_000))
          ]
        case .twoFingers:
          step.lines.flatMap { part in
            line(
              from: (part.from.x * width, part.from.y * height),
              to: (part.to.x * width + (part.from.x < 0.5 ? -8 : 8), part.to.y * height))
          }
        }
      return PanelTestResult.Step(step: step, measures: measures(strokes, of: step.kind))
    }
    return PanelTestResult(try Self.device(surface), steps, time: "2026-11-27 14:05")
  }

  static func device(_ surface: PanelSurface) throws -> PanelTestResult.Device {
    let axis = AxisInfo(minimum: 0, maximum: 16_000, resolution: 50)
    let description = DeviceDescription(
      axes: [
        AbsCode.mtSlot: AxisInfo(minimum: 0, maximum: 9),
        AbsCode.mtTrackingID: AxisInfo(minimum: 0, maximum: 65_535),
        AbsCode.mtPositionX: axis, AbsCode.mtPositionY: axis,
      ])
    return PanelTestResult.Device(
      name: "Panel \u{1b}[31m\u{202e}", key: "1234:5678@usb-1", display: "HDMI-A-1",
      identifiers: DeviceIdentifiers(vendor: 0x1234, product: 0x5678),
      contactProtocol: try ContactProtocol(of: description), surface: surface, isTurned: false)
  }
}
