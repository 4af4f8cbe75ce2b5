import Foundation
import TouchModel

/// A simulated fault of a panel. It changes the reports of each contact.
enum Fault: Sendable {
  /// An electrode senses nothing, and the firmware reports each remaining part of a finger as a
  /// contact.
  case split(PanelCounts.Direction, electrode: Int)
  /// The same, but the firmware reports the middle of the remaining parts.
  case merged(PanelCounts.Direction, electrode: Int)
  /// The same, but the firmware keeps a contact where it was last seen, until it is seen again.
  case bridged(PanelCounts.Direction, electrode: Int)
  /// Several adjacent electrodes sense nothing.
  case band(PanelCounts.Direction, ClosedRange<Int>)
  /// Only each second report comes.
  case halfRate
  /// Positions tremble, in mm: everywhere, or in one zone of jitter.
  case noise(Double, zone: Int? = nil)

  /// The electrodes of a panel, as of the one whose raw signals are published (CapContact).
  static func electrodes(_ direction: PanelCounts.Direction) -> Int {
    direction == .vertical ? 72 : 41
  }

  /// Returns the contacts that are reported of one.
  func changed(_ path: Path, on panel: RealPanel, _ dice: inout Dice) -> [Path] {
    switch self {
    case .split(let direction, let electrode):
      Self.sense(
        path, on: panel, Sensing(direction: direction, dead: electrode...electrode, splits: true))
    case .merged(let direction, let electrode):
      Self.sense(
        path, on: panel, Sensing(direction: direction, dead: electrode...electrode, splits: false))
    case .bridged(let direction, let electrode):
      [Self.bridge(path, on: panel, direction, Double(electrode))]
    case .band(let direction, let dead):
      Self.sense(path, on: panel, Sensing(direction: direction, dead: dead, splits: true))
    case .halfRate:
      [Self.halve(path)]
    case .noise(let deviation, let zone):
      [
        path.map { report in
          guard zone.map({ $0 == panel.zone(of: report) }) ?? true else { return report }
          return Report(
            time: report.time, x: report.x + dice.normal(deviation * panel.perMillimetre.x),
            y: report.y + dice.normal(deviation * panel.perMillimetre.y))
        }
      ]
    }
  }

  /// Removes every second report, but not the last one: the panel reports later that a finger is
  /// gone, not earlier. Reports within 3 ms are one: some panels send one in several frames.
  private static func halve(_ path: Path) -> Path {
    guard let last = path.last else { return path }
    var (start, isKept) = (path[0].time, true)
    var kept: Path = []
    for report in path {
      if report.time - start >= 3000 { (start, isKept) = (report.time, !isKept) }
      if isKept || report.time == last.time { kept.append(report) }
    }
    return kept
  }

  private static func bridge(
    _ path: Path, on panel: RealPanel, _ direction: PanelCounts.Direction, _ electrode: Double
  ) -> Path {
    let axis = direction == .vertical ? panel.x : panel.y
    let pitch = (Double(axis.maximum) - Double(axis.minimum) + 1) / Double(electrodes(direction))
    let middle = Double(axis.minimum) + (electrode + 0.5) * pitch
    func place(_ report: Report) -> Double { direction == .vertical ? report.x : report.y }
    return path.enumerated().compactMap { index, report in
      let distance = place(report) - middle
      guard abs(distance) < 0.7 * pitch else { return report }
      guard index == 0 else { return nil }
      var moved = report
      let edge = middle + (distance < 0 ? -0.7 : 0.7) * pitch
      if direction == .vertical { moved.x = edge } else { moved.y = edge }
      return moved
    }
  }

  /// How electrodes sense a finger across their direction.
  private struct Sensing {
    /// The width of a finger's signal, in electrodes, as a standard deviation.
    static let width = 0.75
    /// The least signal of an electrode that belongs to a contact.
    static let threshold = 0.12
    /// The least peak of a contact.
    static let peak = 0.3

    let direction: PanelCounts.Direction
    let dead: ClosedRange<Int>
    let splits: Bool

    /// Returns where contacts are seen of a finger, in electrodes.
    func centres(of finger: Double) -> [Double] {
      let reach = Int(finger) - 3...Int(finger) + 4
      let signals = reach.map { electrode in
        let distance = (Double(electrode) - finger) / Self.width
        let signal = exp(-distance * distance / 2)
        return dead.contains(electrode) || signal < Self.threshold ? 0 : signal
      }
      var parts: [[(Int, Double)]] = [[]]
      for (electrode, signal) in zip(reach, signals) {
        if signal > 0 {
          parts[parts.count - 1].append((electrode, signal))
        } else if splits, parts[parts.count - 1].isEmpty == false {
          parts.append([])
        }
      }
      return parts.compactMap { part in
        guard let peak = part.map(\.1).max(), peak >= Self.peak else { return nil }
        let sum = part.reduce(0) { $0 + $1.1 }
        return part.reduce(0) { $0 + Double($1.0) * $1.1 } / sum
      }
    }

    /// Where a good panel sees the finger.
    func healthy(of finger: Double) -> Double {
      Sensing(direction: direction, dead: -9 ... -9, splits: true).centres(of: finger).first
        ?? finger
    }
  }

  private static func sense(_ path: Path, on panel: RealPanel, _ sensing: Sensing) -> [Path] {
    let isVertical = sensing.direction == .vertical
    let axis = isVertical ? panel.x : panel.y
    let pitch =
      (Double(axis.maximum) - Double(axis.minimum) + 1) / Double(electrodes(sensing.direction))
    var open: [(centre: Double, path: Path)] = []
    var done: [Path] = []
    for report in path {
      // The middle of electrode e is at e + 0.5 in units of the pitch.
      let finger = ((isVertical ? report.x : report.y) - Double(axis.minimum)) / pitch - 0.5
      let healthy = sensing.healthy(of: finger)
      let seen = sensing.centres(of: finger)
      var next: [(centre: Double, path: Path)] = []
      for centre in seen {
        var moved = report
        let place = (isVertical ? report.x : report.y) + (centre - healthy) * pitch
        if isVertical { moved.x = place } else { moved.y = place }
        // A contact goes on as the one that was nearest, if that is within 1.5 electrodes.
        let nearest = open.indices.min {
          abs(open[$0].centre - centre) < abs(open[$1].centre - centre)
        }
        if let nearest, abs(open[nearest].centre - centre) <= 1.5 {
          let former = open.remove(at: nearest)
          next.append((centre, former.path + [moved]))
        } else {
          next.append((centre, [moved]))
        }
      }
      done += open.map(\.path)
      open = next
    }
    return done + open.map(\.path)
  }
}
