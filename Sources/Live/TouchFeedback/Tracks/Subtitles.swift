internal import Text
import TouchModel

/// A track as subtitles in the format ASS (Advanced SubStation Alpha), with vector drawings. libass
/// draws them into the frames of a video, or a player draws them over the video.
public struct Subtitles {
  /// The maximum deviation of a bubble from the position of its finger, in pixels.
  private static let tolerance = 0.2
  /// The range of the time between two drawings of a trail, in hundredths of a second. The faster
  /// the finger, the shorter this time.
  private static let trailSteps: ClosedRange<Int64> = 1...3
  /// The maximum movement of a finger between two drawings of its trail, in points.
  private static let trailDistance = 12.0
  /// The size limit of the file, in bytes.
  static let sizeLimit = 1 << 30

  private let film: VideoLayout
  private var history = TouchHistory()
  private var display: Track.Display?
  private var masks: [Mask]
  /// The cover (the area in which nothing is drawn) for each state of the display, with the current
  /// masks.
  private var coverings: [Track.Display: HiddenArea] = [:]
  private var open: [Int: FingerPath] = [:]
  private var closed: [FingerPath] = []
  /// The covers in chronological order, each with the time from which it applies, in hundredths of
  /// a second.
  private var covers: [(time: Int64, cover: HiddenArea)] = []
  /// The drawings of trails, with the times at which they begin and end, in hundredths of a second.
  /// Their corners are relative to the top left of the video.
  private var trails: [(time: Int64, end: Int64, part: DrawnShape)] = []
  private var trailTime: Int64 = -1_000_000
  private var last: Int64 = .min
  /// The highest bubble number so far.
  private var newest = 0

  /// The number of touches that the track has on the display.
  public var allTouches: Int { newest }
  /// The number of touches that are visible in the video.
  public private(set) var touches = 0
  /// The number of touches during the video that masks hide completely.
  public private(set) var hiddenTouches = 0
  /// The time in the video, in µs, from the first visible touch to the end of the last one; nil if
  /// none is visible.
  public private(set) var span: ClosedRange<Int64>?
  /// The time in the video, in µs, at which the last of all touches ends; nil if there is none.
  public private(set) var lastEnd: Int64?
  public private(set) var lines: [String] = []

  /// Draws a track as subtitles for a video.
  /// - Throws: If the track does not have the display; if the display is touched while its aspect
  ///   ratio differs from that of `film.area`; or if the file would exceed 1 GiB.
  public init(_ track: Track, film: VideoLayout, version: String) throws(SubtitlesError) {
    self.film = film
    masks = track.masks
    guard track.displayNames.contains(film.display) else { throw .noSuchDisplay }
    display = track.displays.first { $0.name == film.display }
    updateCover(at: .min)
    for frame in track.framesByTime { try apply(frame) }
    // Fingers that are still down at the end of the track are shown until its last frame.
    closeOpen(at: last)
    writeHead(version)
    try writeEvents()
  }

  // MARK: Time and place

  private func filmTime(_ time: Timestamp) -> Int64 {
    // Limit times to about 300 years, so that calculations do not overflow.
    max(-10_000_000_000_000_000, min(10_000_000_000_000_000, (time + film.offset).microseconds))
  }

  private func hundredths(_ time: Int64) -> Int64 {
    time == .min ? .min : (time + 5_000).flooredDivision(by: 10_000)
  }

  private var scale: Point {
    guard let display else { return Point(x: 1, y: 1) }
    return Point(x: film.area.width / display.width, y: film.area.height / display.height)
  }

  private func place(_ point: Point) -> Point {
    Point(x: film.area.x + point.x * scale.x, y: film.area.y + point.y * scale.y)
  }

  private mutating func updateCover(at time: Int64) {
    guard let display else { return }
    let cover = coverings[display] ?? HiddenArea(film, display, masks, scale: scale)
    coverings[display] = cover
    if covers.last?.cover != cover { covers.append((hundredths(time), cover)) }
  }

  // MARK: Frames

  private mutating func apply(_ frame: Track.Frame) throws(SubtitlesError) {
    let time = max(filmTime(frame.time), last)
    drawTrails(until: time, next: frame.touches.filter { $0.display == film.display })
    last = time
    if let displays = frame.displays, let new = displays.first(where: { $0.name == film.display }) {
      display = new
    }
    if let masks = frame.masks {
      self.masks = masks
      coverings = [:]
    }
    if frame.displays != nil || frame.masks != nil { updateCover(at: time) }
    guard let display else { return }
    let touches = frame.touches.filter { $0.display == film.display }
    if touches.contains(where: { $0.phase == .began || $0.phase == .moved }),
      !film.fits(width: display.width, height: display.height)
    {
      throw .otherShape(
        time: frame.time.microseconds, width: display.width, height: display.height)
    }
    guard !touches.isEmpty else { return }
    history.apply(touches, at: Timestamp(microseconds: time))
    follow(at: time)
  }

  private mutating func follow(at time: Int64) {
    var known = Set<Int>()
    for bubble in history.bubbles {
      known.insert(bubble.number)
      let point = place(bubble.point)
      if bubble.number > newest {
        newest = bubble.number
        open[bubble.number] = FingerPath(bubble, scale: scale.x, at: point, time: time)
      }
      guard var path = open[bubble.number] else { continue }
      path.bubble = bubble
      path.move(to: point, at: time)
      open[bubble.number] = path
      if let ends = bubble.ends { close(bubble.number, at: ends.microseconds) }
    }
    for number in open.keys.sorted() where !known.contains(number) { close(number, at: time) }
  }

  private mutating func close(_ number: Int, at time: Int64) {
    guard var path = open.removeValue(forKey: number) else { return }
    path.ends = time
    closed.append(path)
  }

  private mutating func closeOpen(at time: Int64) {
    drawTrails(until: last == .min ? .min : last + 1_000_000)
    for number in open.keys.sorted() { close(number, at: time) }
  }

  /// Draws the trails up to `end`, in steps of `trailSteps` because a trail changes constantly.
  /// Each drawing shows the trail as it is at the middle of its step.
  /// - Parameters:
  ///   - end: A time in the video, in µs.
  ///   - next: The samples of the frame at `end`.
  private mutating func drawTrails(until end: Int64, next: [TouchSample] = []) {
    guard film.style.hasTrail, last != .min else { return }
    let isGoingOn = hundredths(last) - trailTime <= Self.trailSteps.upperBound
    var time = max(0, isGoingOn ? trailTime : hundredths(last))
    while time * 10_000 < end {
      let now = Timestamp(microseconds: max(time * 10_000, last))
      let change = history.nextChange(after: now, style: film.style)?.microseconds ?? .max
      // A finger begins to move towards its position at `end` no earlier than `restGap` before.
      let wake = min(change, next.isEmpty ? .max : end - TouchHistory.restGap)
      if wake > now.microseconds {
        guard wake < end else { return }
        time = max(time + 1, wake.flooredDivision(by: 10_000))
        continue
      }
      let step = trailStep(before: now)
      let middle = max(last, time * 10_000 + step * 5_000)
      guard middle < end else { return }
      for shape in shapes(at: middle, next, at: end) {
        guard case .area = shape else { continue }
        for part in DrawnShape.parts(of: shape, scale: scale.x) {
          let corner = Point(x: film.area.x + part.corner.x, y: film.area.y + part.corner.y)
          trails.append(
            (
              time, time + step,
              DrawnShape(drawing: part.drawing, corner: corner, colour: part.colour)
            ))
        }
      }
      time += step
      trailTime = time
    }
  }

  /// Returns the shapes at `time`. The position of a finger that moves at `end` is interpolated
  /// between its last one and the one in `next`, as the path of its disc is.
  private func shapes(at time: Int64, _ next: [TouchSample], at end: Int64) -> [Shape] {
    var history = history
    let moving = next.compactMap { sample -> TouchSample? in
      guard sample.phase == .moved, sample.point.x.isFinite, sample.point.y.isFinite,
        let bubble = history.bubbles.first(where: {
          $0.touch == sample.touch && $0.lifted == nil
        }), let lastMoved = open[bubble.number]?.places.last?.time
      else { return nil }
      let start = end - lastMoved > TouchHistory.restGap ? end - TouchHistory.restLead : lastMoved
      guard time > start, end > start else { return nil }
      let part = Double(time - start) / Double(end - start)
      let point = bubble.point
      return TouchSample(
        touch: sample.touch, phase: .moved,
        point: Point(
          x: point.x + (sample.point.x - point.x) * part,
          y: point.y + (sample.point.y - point.y) * part), display: sample.display)
    }
    if !moving.isEmpty { history.apply(moving, at: Timestamp(microseconds: time)) }
    return history.shapes(
      on: film.display, at: Timestamp(microseconds: time), style: film.style)
  }

  private func trailStep(before time: Timestamp) -> Int64 {
    let speed = history.bubbles.lazy.map { $0.speed(before: time) }.max() ?? 0
    let step = Self.trailDistance / max(speed / 100, 1e-6)
    return max(Self.trailSteps.lowerBound, Int64(min(Double(Self.trailSteps.upperBound), step)))
  }

  // MARK: The file

  private mutating func writeHead(_ version: String) {
    lines = [
      "[Script Info]",
      "; Touches, drawn by touchgrid \(version); its docs/tracks.md describes subtitles",
      "Title: Touches",
      "ScriptType: v4.00+",
      "PlayResX: \(film.width)",
      "PlayResY: \(film.height)",
      "WrapStyle: 2",
      "ScaledBorderAndShadow: yes",
      // Keep colours as they are, regardless of the video's colour matrix.
      "YCbCr Matrix: None",
      "",
      "[V4+ Styles]",
      "Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, "
        + "Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, "
        + "Shadow, Alignment, MarginL, MarginR, MarginV, Encoding",
      "Style: Touch,Sans,20,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,"
        + "7,0,0,0,1",
      "",
      "[Events]",
      "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
    ]
  }

  private mutating func writeEvents() throws(SubtitlesError) {
    var events = Events()
    for trail in trails {
      for span in spans(trail.time, trail.end) {
        let corner = trail.part.corner
        let position = "\\pos(\(Self.decimals(corner.x)),\(Self.decimals(corner.y)))"
        try events.add(
          span.start, 0, line(0, span.start, span.end, position, "", span.cover, trail.part))
      }
    }
    trails = []
    var style = film.style
    style.hasTrail = false
    for path in closed.sorted(by: { $0.bubble.number < $1.bubble.number }) {
      try write(path, style, to: &events)
    }
    closed = []
    lines += events.sorted
  }

  private mutating func write(
    _ path: FingerPath, _ style: BubbleStyle, to events: inout Events
  ) throws(SubtitlesError) {
    guard let start = path.places.first?.time, let end = path.ends else { return }
    lastEnd = max(lastEnd ?? end, end)
    var seen: ClosedRange<Int64>?
    let fades = path.bubble.fadesFrom.map { $0.microseconds.flooredDivision(by: 1_000) }
    let parts = path.bubble.shapes(at: path.bubble.began, style: style).flatMap {
      DrawnShape.parts(of: $0, scale: path.scale)
    }
    let cuts = changes(after: hundredths(start), before: hundredths(end))
    let pieces = path.pieces(cuts: cuts, tolerance: Self.tolerance)
    for piece in pieces {
      let cover = cover(at: piece.start)
      guard !cover.isWhole else { continue }
      seen = (seen?.lowerBound ?? piece.start * 10_000)...(piece.end * 10_000)
      let fade = Self.fade(from: fades, piece)
      for (index, part) in parts.enumerated() {
        // Bubbles of later touch-downs lie above.
        let layer = min(1 + path.bubble.number * 8 + index, Int(Int32.max))
        let position = Self.position(piece, part.corner)
        try events.add(
          piece.start, layer, line(layer, piece.start, piece.end, position, fade, cover, part))
      }
    }
    guard let seen else {
      if !pieces.isEmpty { hiddenTouches += 1 }
      return
    }
    touches += 1
    let old = span ?? seen
    span = min(old.lowerBound, seen.lowerBound)...max(old.upperBound, seen.upperBound)
  }

  /// Collects the lines of the file, to be sorted by their start and layer.
  private struct Events {
    private var events: [(start: Int64, layer: Int, line: String)] = []
    private var size = 0

    mutating func add(_ start: Int64, _ layer: Int, _ line: String) throws(SubtitlesError) {
      size += line.utf8.count + 1
      guard size <= Subtitles.sizeLimit else { throw .tooLarge }
      events.append((start, layer, line))
    }

    var sorted: [String] {
      events.sorted { ($0.start, $0.layer) < ($1.start, $1.layer) }.map(\.line)
    }
  }

  /// Returns the number of `covers` that begin at `time` or earlier.
  private func covers(until time: Int64) -> Int {
    var (low, high) = (0, covers.count)
    while low < high {
      let middle = (low + high) / 2
      if covers[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func cover(at time: Int64) -> HiddenArea { covers[max(0, covers(until: time) - 1)].cover }

  /// Returns the times between `start` and `end` at which the cover changes.
  private func changes(after start: Int64, before end: Int64) -> [Int64] {
    let first = covers(until: start)
    return covers[first..<max(first, covers(until: end - 1))].map(\.time)
  }

  /// Splits an interval wherever the cover changes, and pairs each part with its cover. Leaves out
  /// parts in which everything is covered.
  private func spans(
    _ start: Int64, _ end: Int64
  ) -> [(start: Int64, end: Int64, cover: HiddenArea)] {
    let times = [start] + changes(after: start, before: end) + [end]
    return zip(times, times.dropFirst()).compactMap { one, two in
      let cover = cover(at: one)
      return one < two && !cover.isWhole ? (one, two, cover) : nil
    }
  }

  private static func position(_ piece: FingerPath.Piece, _ corner: Point) -> String {
    let from = "\(decimals(piece.from.x + corner.x)),\(decimals(piece.from.y + corner.y))"
    let to = "\(decimals(piece.to.x + corner.x)),\(decimals(piece.to.y + corner.y))"
    return from == to ? "\\pos(\(from))" : "\\move(\(from),\(to))"
  }

  /// Returns the tag that fades a piece out; empty if the bubble does not fade during the piece.
  /// - Parameter start: The time in the video at which the bubble begins to fade, in ms; nil if it
  ///   does not fade.
  private static func fade(from start: Int64?, _ piece: FingerPath.Piece) -> String {
    guard let start, start < piece.end * 10 else { return "" }
    let begin = start - piece.start * 10
    let length = TouchHistory.fade.components.attoseconds / 1_000_000_000_000_000
    return "\\fade(0,0,255,\(begin - 1),\(begin - 1),\(begin),\(begin + length))"
  }

  private func line(
    _ layer: Int, _ start: Int64, _ end: Int64, _ position: String, _ fade: String,
    _ cover: HiddenArea,
    _ part: DrawnShape
  ) -> String {
    let colour = part.colour
    let opacity = 255 - Self.byte(colour.opacity)
    let tags =
      "\\1c&H\(Self.hex(Self.byte(colour.blue)))\(Self.hex(Self.byte(colour.green)))"
      + "\(Self.hex(Self.byte(colour.red)))&\(opacity > 0 ? "\\1a&H\(Self.hex(opacity))&" : "")"
    return "Dialogue: \(layer),\(Self.clock(start)),\(Self.clock(end)),Touch,,0,0,0,,{"
      + "\(position)\(tags)\(fade)\(cover.tag)\\p4}\(part.drawing)"
  }

  private static func byte(_ part: Double) -> Int { Int((max(0, min(1, part)) * 255).rounded()) }

  private static func hex(_ byte: Int) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.utf8.count < 2 ? "0" + text : text
  }

  /// Formats a time, in hundredths of a second, such as `0:01:02.03`.
  static func clock(_ hundredths: Int64) -> String {
    let seconds = hundredths / 100
    return "\(seconds / 3600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))."
      + padded(hundredths % 100)
  }

  /// Formats a number with up to three decimals.
  static func decimals(_ value: Double) -> String {
    let thousandths = Int64((max(-1e9, min(1e9, value)) * 1000).rounded())
    let magnitude = thousandths.magnitude
    var text = "\(magnitude / 1000)"
    if magnitude % 1000 > 0 {
      text += "." + padded(magnitude % 1000, 3)
      while text.last == "0" { text.removeLast() }
    }
    return thousandths < 0 ? "-" + text : text
  }
}
