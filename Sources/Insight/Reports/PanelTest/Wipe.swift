package import TouchModel

/// Finds the lines of a panel that sense nothing while the glass is wiped. Of the touches it keeps
/// the last positions alone, and only until the next ones.
package struct Wipe: Sendable {
  /// What the wipe has shown of the lines of one direction.
  private struct Lines {
    /// Whether there was a report in the line.
    var isSensed: [Bool]
    /// The number of reports that would be expected in a healthy line, of the contacts that were
    /// reported on both sides of the line and not in it.
    var expected: [Double]

    init(_ direction: PanelCounts.Direction) {
      isSensed = Array(repeating: false, count: direction.lines)
      expected = Array(repeating: 0, count: direction.lines)
    }
  }

  /// A position in lines from the start of each axis.
  private struct Place {
    var across: Double
    var down: Double
  }

  /// The reports that must be missing before a line counts as dead. A healthy line of 112 lacks as
  /// many by chance once in 1,400 wipes: exp(-12) times 112.
  static let missingReports = 12.0
  /// The longest step of a contact, in lines. A longer one joins two contacts.
  static let longestStep = 8.0
  /// The longest time, in µs, for which a line may interrupt a contact.
  static let longestBreak: Int64 = 300_000
  /// The share of the lines in each direction that a wipe must have judged.
  static let completeShare = 0.9

  private let key: PanelKey
  private var lines: [PanelCounts.Direction: Lines] = [:]
  private var last: [TouchID: Place] = [:]
  /// The contacts that have ended within `longestBreak`.
  private var lifted: [(place: Place, time: Timestamp)] = []

  package init(of key: PanelKey) {
    self.key = key
    for direction in PanelCounts.Direction.allCases { lines[direction] = Lines(direction) }
  }

  /// Adds a frame. Touches that began before the wipe are left out.
  package mutating func add(_ updates: [TouchUpdate], at time: Timestamp) {
    lifted.removeAll { time - $0.time > Self.longestBreak }
    for update in updates {
      let place = Place(
        across: Self.place(update.x, on: key.x, of: .vertical),
        down: Self.place(update.y, on: key.y, of: .horizontal))
      switch update.phase {
      case .began:
        guard !update.preexisting else { continue }
        if let near = lifted.indices.min(by: {
          Self.step(lifted[$0].place, place) < Self.step(lifted[$1].place, place)
        }) {
          move(from: lifted.remove(at: near).place, to: place)
        }
        sense(place)
        last[update.touch] = place
      case .moved, .stationary:
        guard let before = last[update.touch] else { continue }
        move(from: before, to: place)
        sense(place)
        last[update.touch] = place
      case .ended, .cancelled:
        guard let before = last.removeValue(forKey: update.touch) else { continue }
        lifted.append((before, time))
      }
    }
  }

  private static func place(
    _ value: Int32, on axis: PanelAxis, of direction: PanelCounts.Direction
  ) -> Double {
    let part =
      (Double(value) - Double(axis.minimum))
      / (Double(axis.maximum) - Double(axis.minimum) + 1)
    return min(max(part, 0), 1.nextDown) * Double(direction.lines)
  }

  private static func step(_ from: Place, _ to: Place) -> Double {
    max(abs(from.across - to.across), abs(from.down - to.down))
  }

  private mutating func sense(_ place: Place) {
    lines[.vertical]?.isSensed[Int(place.across)] = true
    lines[.horizontal]?.isSensed[Int(place.down)] = true
  }

  private mutating func move(from: Place, to: Place) {
    guard Self.step(from, to) <= Self.longestStep else { return }
    skip(.vertical, from.across, to.across)
    skip(.horizontal, from.down, to.down)
  }

  private mutating func skip(
    _ direction: PanelCounts.Direction, _ from: Double, _ to: Double
  ) {
    let (low, high) = (Int(min(from, to)), Int(max(from, to)))
    guard high - low >= 2 else { return }
    for line in low + 1..<high { lines[direction]?.expected[line] += 1 / abs(to - from) }
  }

  // MARK: Results

  /// Returns the lines that sensed nothing, in groups of adjacent ones.
  private func deadLines(_ direction: PanelCounts.Direction) -> [ClosedRange<Int>] {
    guard let lines = lines[direction] else { return [] }
    var found: [ClosedRange<Int>] = []
    for line in 0..<direction.lines where isDead(line, lines) {
      if let end = found.last, end.upperBound == line - 1 {
        found[found.count - 1] = end.lowerBound...line
      } else {
        found.append(line...line)
      }
    }
    return found
  }

  private func isDead(_ line: Int, _ lines: Lines) -> Bool {
    !lines.isSensed[line] && lines.expected[line] >= Self.missingReports
  }

  /// Whether nearly all lines were sensed, or are dead.
  package var isComplete: Bool {
    lines.allSatisfy { direction, lines in
      let judged = (0..<direction.lines).count { lines.isSensed[$0] || isDead($0, lines) }
      return Double(judged) >= Self.completeShare * Double(direction.lines)
    }
  }

  /// The lines that sensed nothing; empty if the wipe is not complete.
  /// - Parameter sight: nil if the orientation of the panel is unknown.
  package func deadPlaces(sight: PanelSight?) -> [PanelPlace] {
    guard isComplete else { return [] }
    return PanelCounts.Direction.allCases.flatMap { direction in
      deadLines(direction).map { PanelPlace($0, direction, on: key, sight: sight) }
    }
  }
}
