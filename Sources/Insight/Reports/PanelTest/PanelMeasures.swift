internal import TouchModel

/// The measurements of one step of a panel test. Lengths are in mm. nil means that the step does
/// not measure the value, or had too few reports.
package struct PanelMeasures: Hashable, Sendable {
  /// The greatest distance of a report from the straight line within 10 mm of travel.
  package var jitter: Double?
  /// The greatest distance of a report from the straight line, without a tenth of the line at each
  /// end.
  package var linearity: Double?
  /// The root mean square of these distances.
  package var linearityRMS: Double?
  /// The greatest ratio of the distance between two successive reports to the median of the three
  /// distances before and the three after it; at least 1.
  package var gapRatio: Double?
  /// The greatest distance between two successive reports, even if the contact was lost between
  /// them.
  package var largestGap: Double?
  /// The middle of that gap, in mm from the lowest raw values.
  package var gapPlace: Place?
  /// The number of times that the contact was lost and began again.
  package var breaks = 0
  /// The number of touches that began while all fingers of the step were down.
  package var extraTouches = 0
  /// The place where the first of them began, in mm from the lowest raw values.
  package var extraPlace: Place?
  /// The share of the panel's side that the line covers, 0...1.
  package var coverage: Double?
  /// The reports per second of a moving finger: the inverse of the median time between two reports.
  package var rate: Double?
  /// The distance of the outermost reports from the ends of the raw axes.
  package var margins: Margins?
  /// The greatest distance between two reports of a resting finger.
  package var rest: Double?
  /// The smallest distance at which two fingers were two touches.
  package var separation: Double?
  /// The time from the first touch-down to the last touch-up, in seconds.
  package var duration = 0.0

  package struct Place: Hashable, Sendable {
    package var x: Double
    package var y: Double
  }

  /// Distances in mm from the ends of the raw axes.
  package struct Margins: Hashable, Sendable {
    package var left: Double
    package var top: Double
    package var right: Double
    package var bottom: Double
  }

  /// The travel within which jitter is measured, in mm.
  package static let jitterTravel = 10.0
  /// The smallest travel, in mm, of a touch that is part of a line.
  static let leastTravel = 5.0
  /// The smallest gap, in mm, that is compared with its neighbours.
  static let leastGap = 1.0
  /// The number of distances before a gap, and after it, with which the gap is compared. The first
  /// and last distances of a line, at touch-down and touch-up, are therefore not compared.
  static let neighbours = 3
  /// The smallest number of reports for a rate.
  static let leastReports = 20
  /// The share of a line that is left out at each end, because fingers are put down and lifted
  /// there.
  static let endPart = 0.1
  /// The time that is left out at each end of a rest, in µs, because fingers are put down and lifted
  /// then.
  static let landing: Int64 = 200_000

  package init() {}

  /// - Parameter strokes: the touches of a step, in the order in which they began.
  package init(_ strokes: [PanelStroke], of kind: PanelTestStep.Kind, on surface: PanelSurface) {
    guard let first = strokes.first, let end = strokes.map(\.end).max() else { return }
    duration = Double(end - first.start) / 1e6
    count(strokes, fingers: kind == .twoFingers ? 2 : 1, on: surface)
    switch kind {
    case .line, .edge:
      measureLine(strokes, on: surface)
      if kind == .edge { (linearity, linearityRMS) = (nil, nil) }
    case .hold: measureRest(strokes, on: surface)
    case .twoFingers: measureSeparation(strokes, on: surface)
    }
  }

  private mutating func count(_ strokes: [PanelStroke], fingers: Int, on surface: PanelSurface) {
    for (index, stroke) in strokes.enumerated().dropFirst(fingers) {
      let down = strokes[..<index].count { $0.end > stroke.start }
      guard down >= fingers else {
        breaks += 1
        continue
      }
      extraTouches += 1
      if extraPlace == nil { extraPlace = stroke.samples.first.map { Place(surface.place($0)) } }
    }
  }

  // MARK: Lines

  private typealias Path = [(x: Double, y: Double)]

  private mutating func measureLine(_ strokes: [PanelStroke], on surface: PanelSurface) {
    let paths = strokes.map { (stroke: $0, path: $0.samples.map(surface.place)) }
      .filter { Self.travel($0.path) >= Self.leastTravel }
    let all = paths.flatMap(\.path)
    guard let first = all.first else { return }
    var (left, right, top, bottom) = (first.x, first.x, first.y, first.y)
    for place in all {
      (left, right) = (min(left, place.x), max(right, place.x))
      (top, bottom) = (min(top, place.y), max(bottom, place.y))
    }
    coverage = max((right - left) / surface.width, (bottom - top) / surface.height)
    margins = Margins(
      left: left, top: top, right: surface.width - right, bottom: surface.height - bottom)
    for (stroke, path) in paths {
      measure(stroke, path)
      note(gapsOf: path)
    }
    for (before, after) in zip(paths, paths.dropFirst())
    where before.stroke.end <= after.stroke.start {
      guard let from = before.path.last, let to = after.path.first else { continue }
      note(gapFrom: from, to: to)
    }
  }

  private static func travel(_ path: Path) -> Double {
    guard let first = path.first else { return 0 }
    return path.map { distance(first, $0) }.max() ?? 0
  }

  private static func distance(
    _ from: (x: Double, y: Double), _ to: (x: Double, y: Double)
  ) -> Double {
    let (x, y) = (to.x - from.x, to.y - from.y)
    return (x * x + y * y).squareRoot()
  }

  private mutating func measure(_ stroke: PanelStroke, _ path: Path) {
    guard let whole = PanelLine(path), let middle = Self.middle(of: whole) else { return }
    if let line = PanelLine(path[middle]) {
      raise(\.linearity, line.deviation)
      raise(\.linearityRMS, line.deviationRMS)
    }
    raise(\.jitter, Self.jitter(path[middle]))
    guard let rate = Self.rate(stroke.samples[middle]) else { return }
    self.rate = min(self.rate ?? rate, rate)
  }

  /// Returns the rate from the median interval, which the pauses of a hand do not affect.
  /// - Returns: nil if there are too few reports.
  private static func rate(_ samples: ArraySlice<PanelStroke.Sample>) -> Double? {
    var moved: [PanelStroke.Sample] = []
    for sample in samples where moved.last.map({ $0.x != sample.x || $0.y != sample.y }) ?? true {
      moved.append(sample)
    }
    let times = zip(moved, moved.dropFirst()).map { $1.time - $0.time }.sorted()
    guard moved.count >= leastReports, times[times.count / 2] > 0 else { return nil }
    return 1e6 / Double(times[times.count / 2])
  }

  private mutating func raise(_ member: WritableKeyPath<PanelMeasures, Double?>, _ value: Double?) {
    guard let value else { return }
    self[keyPath: member] = max(self[keyPath: member] ?? value, value)
  }

  /// Returns the points of a line without `endPart` at each end.
  /// - Returns: nil if fewer than three are left.
  private static func middle(of line: PanelLine) -> Range<Int>? {
    let along = line.points.map(\.along)
    guard let start = along.min(), let end = along.max() else { return nil }
    let margin = endPart * (end - start)
    guard let first = along.firstIndex(where: { $0 >= start + margin }),
      let last = along.lastIndex(where: { $0 <= end - margin }), last - first >= 2
    else { return nil }
    return first..<last + 1
  }

  /// - Returns: nil if no three reports lie within `jitterTravel`.
  private static func jitter(_ path: Path.SubSequence) -> Double? {
    var greatest: Double?
    var end = path.startIndex
    var seen = end
    for start in path.indices {
      while end < path.endIndex, distance(path[start], path[end]) <= jitterTravel { end += 1 }
      // Skip a window within the previous one: its distance cannot be greater if the finger goes
      // on.
      guard end > seen else { continue }
      seen = end
      guard let line = PanelLine(path[start..<end]) else { continue }
      greatest = max(greatest ?? 0, line.deviation)
    }
    return greatest
  }

  private mutating func note(gapsOf path: Path) {
    // Leave out reports that repeat a position, which would hide an adjacent gap.
    var places: Path = []
    for place in path where places.last.map({ $0 != place }) ?? true { places.append(place) }
    let gaps = zip(places, places.dropFirst()).map { Self.distance($0, $1) }
    for (index, gap) in gaps.enumerated() {
      note(gapFrom: places[index], to: places[index + 1])
      let others =
        (gaps[..<index].suffix(Self.neighbours)
        + gaps[(index + 1)...].prefix(Self.neighbours)).sorted()
      guard others.count == 2 * Self.neighbours else { continue }
      // ChromeOS divides by the previous distance. The median also finds two gaps in a row.
      let usual = (others[Self.neighbours - 1] + others[Self.neighbours]) / 2
      raise(\.gapRatio, gap >= Self.leastGap ? max(1, gap / usual) : 1)
    }
  }

  private mutating func note(
    gapFrom from: (x: Double, y: Double), to: (x: Double, y: Double)
  ) {
    let gap = Self.distance(from, to)
    guard gap > largestGap ?? -1 else { return }
    largestGap = gap
    gapPlace = Place(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
  }

  // MARK: Fingers that rest, and two fingers

  private mutating func measureRest(_ strokes: [PanelStroke], on surface: PanelSurface) {
    var found: Set<Place> = []
    for stroke in strokes {
      let (from, to) = (stroke.start + Self.landing, stroke.end + -Self.landing)
      guard from < to else { continue }
      // The kernel sends no report that repeats a position, so the last one still holds.
      let held = stroke.samples.lastIndex { $0.time <= from } ?? 0
      let resting = stroke.samples[held...].prefix { $0.time <= to || $0 == stroke.samples[held] }
      found.formUnion(resting.map { Place(surface.place($0)) })
    }
    guard !found.isEmpty else { return }
    let places = found.map { (x: $0.x, y: $0.y) }
    rest = places.reduce(0) { greatest, place in
      places.reduce(greatest) { max($0, Self.distance(place, $1)) }
    }
  }

  private mutating func measureSeparation(_ strokes: [PanelStroke], on surface: PanelSurface) {
    let reports = strokes.enumerated().flatMap { index, stroke in
      stroke.samples.map { (time: $0.time, index: index, place: surface.place($0)) }
    }.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    var places: [Int: (x: Double, y: Double)] = [:]
    for (number, report) in reports.enumerated() {
      places = places.filter { strokes[$0.key].end > report.time || $0.key == report.index }
      places[report.index] = report.place
      let isLast = number + 1 == reports.count || reports[number + 1].time != report.time
      let down = Array(places.values)
      guard isLast, down.count == 2 else { continue }
      let distance = Self.distance(down[0], down[1])
      separation = min(separation ?? distance, distance)
    }
  }
}

extension PanelMeasures.Place {
  fileprivate init(_ place: (x: Double, y: Double)) { self.init(x: place.x, y: place.y) }
}
