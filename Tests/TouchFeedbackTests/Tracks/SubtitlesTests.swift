import TestSupport
import Testing
import TouchModel

@testable import TouchFeedback

/// Where and when the bubbles of a track appear over a video.
@Suite struct SubtitlesTests {
  /// A line of the subtitles file.
  struct Event: Equatable {
    var layer: Int
    /// The start, in hundredths of a second.
    var start: Int
    var end: Int
    var tags: String
    var drawing: String

    init?(_ line: String) {
      guard line.hasPrefix("Dialogue: ") else { return nil }
      let words = line.dropFirst(10).split(
        separator: ",", maxSplits: 9, omittingEmptySubsequences: false)
      guard words.count == 10, let layer = Int(words[0]), let start = Self.time(words[1]),
        let end = Self.time(words[2]), let close = words[9].firstIndex(of: "}")
      else { return nil }
      (self.layer, self.start, self.end) = (layer, start, end)
      tags = String(words[9][..<close])
      drawing = String(words[9][close...].dropFirst())
    }

    private static func time(_ text: Substring) -> Int? {
      let parts = text.split(whereSeparator: { ":.".contains($0) }).compactMap { Int($0) }
      guard parts.count == 4 else { return nil }
      return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 100 + parts[3]
    }

    /// Returns the numbers in the parentheses after a tag; nil if there is no such tag.
    func numbers(_ tag: String) -> [Double]? {
      let tags = tags.split(separator: "\\")
      guard let rest = tags.first(where: { $0.hasPrefix(tag + "(") }) else { return nil }
      return rest.dropFirst(tag.count + 1).prefix { $0 != ")" }.split(separator: ",").compactMap {
        Double($0)
      }
    }

    /// Returns the centre of the drawing, in pixels, at a time in hundredths of a second; nil if it
    /// has no position.
    func centre(at time: Double) -> Point? {
      let box = drawing.split(separator: " ").compactMap { Double($0) }
      let half = (box.max() ?? 0) / 16
      if let rest = numbers("pos") { return Point(x: rest[0] + half, y: rest[1] + half) }
      guard let way = numbers("move") else { return nil }
      let part = (time - Double(start)) / Double(end - start)
      return Point(
        x: way[0] + (way[2] - way[0]) * part + half, y: way[1] + (way[3] - way[1]) * part + half)
    }
  }

  static let screen = Track.Display(name: "A", width: 800, height: 480, screen: "menu")

  static func frame(
    _ ms: Double, _ phase: Phase, _ x: Double = 100, _ y: Double = 100, touch: Int64 = 1
  ) -> Track.Frame {
    Track.Frame(
      time: Timestamp(microseconds: Int64(ms * 1000)),
      touches: [TouchSample(touch: touch, phase: phase, point: Point(x: x, y: y), display: "A")])
  }

  static func film(
    _ width: Int = 800, _ height: Int = 480, area: Rectangle? = nil, offset: Int64 = 0,
    style: BubbleStyle = BubbleStyle()
  ) throws -> VideoLayout {
    let all = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    return VideoLayout(
      width: width, height: height, area: try #require(area ?? all), offset: offset, display: "A",
      style: style)
  }

  private func events(
    _ frames: [Track.Frame], masks: [Mask] = [], film: VideoLayout? = nil
  ) throws -> [Event] {
    let track = Track(displays: [Self.screen], masks: masks, frames: frames)
    return try Subtitles(track, film: try film ?? Self.film(), version: "1").lines.compactMap {
      Event($0)
    }
  }

  @Test func `A tap is a disc with two rings, shown as long as by the overlay`() throws {
    let events = try events([Self.frame(1000, .began), Self.frame(1003, .ended)])
    #expect(events.count == 3)
    for event in events {
      #expect(event.start == 100 && event.end == 140)
      #expect(event.centre(at: 100) == Point(x: 100, y: 100))
      // Opaque until 150 ms after the touch-down, and invisible 250 ms later.
      #expect(event.numbers("fade") == [0, 0, 255, 149, 149, 150, 400])
    }
    let colours = ["FFFFFF&\\1a&H40&", "D6D6D6&\\1a&H60&", "333333&\\fade"]
    for (event, colour) in zip(events, colours) { #expect(event.tags.contains("\\1c&H" + colour)) }
    // Circles with radii of 21 and 18.25 pixels, in eighths of a pixel. The inner one is a hole.
    #expect(events[2].drawing.hasPrefix("m 336 168 b 336 261 "))
    #expect(events[2].drawing.contains(" m 314 168 b 314 "))
  }

  @Test func `A cancelled touch does not fade`() throws {
    let events = try events([Self.frame(1000, .began), Self.frame(1100, .cancelled)])
    #expect(events.allSatisfy { $0.end == 110 && $0.numbers("fade") == nil })
  }

  @Test func `The offset moves all events, and those before the video are cut`() throws {
    let frames = [Self.frame(1000, .began), Self.frame(2000, .ended)]
    let later = try events(frames, film: Self.film(offset: 1_234_000))
    #expect(later.first?.start == 223 && later.first?.end == 348)
    let cut = try events(frames, film: Self.film(offset: -1_500_000))
    #expect(cut.first?.start == 0 && cut.first?.end == 75)
    #expect(cut.first?.numbers("fade")?[5] == 500)
    #expect(try events(frames, film: Self.film(offset: -3_000_000)).isEmpty)
  }

  @Test func `Points are mapped to the area`() throws {
    let area = Rectangle(x: 100, y: 50, width: 400, height: 240)
    let events = try events(
      [Self.frame(0, .began, 800, 480), Self.frame(100, .ended, 800, 480)],
      film: Self.film(1280, 720, area: area))
    #expect(events.first?.centre(at: 0) == Point(x: 500, y: 290))
    // Bubbles have half the size, and nothing is drawn outside the area.
    #expect(events[0].drawing.hasPrefix("m 176 88 "))
    #expect(events.last?.tags.contains("\\iclip(4,m 0 0 l 10240 0 ") == true)
  }

  @Test func `A video of another aspect ratio is refused`() throws {
    let frames = [Self.frame(2000, .began), Self.frame(2100, .ended)]
    #expect(throws: SubtitlesError.otherShape(time: 2_000_000, width: 800, height: 480)) {
      try self.events(frames, film: Self.film(800, 490))
    }
    #expect(throws: SubtitlesError.noSuchDisplay) {
      var film = try Self.film()
      film.display = "B"
      _ = try self.events(frames, film: film)
    }
    // Encoders accept only even sizes, so a slight deviation is allowed.
    #expect(try events(frames, film: Self.film(1366, 820)).count == 3)
    // A display may be rotated and rotated back while there are no touches.
    let turned = Track.Display(name: "A", width: 480, height: 800, screen: "menu")
    let turn = Track.Frame(time: .zero, touches: [], displays: [turned])
    let back = Track.Frame(time: .zero, touches: [], displays: [Self.screen])
    #expect(try events([turn, back] + frames).count == 3)
    #expect(throws: SubtitlesError.self) { try self.events([turn] + frames) }
  }

  @Test func `Nothing is drawn inside masks of the shown screen`() throws {
    let rectangle = try #require(Rectangle(x: 0, y: 0, width: 50, height: 25))
    let masks = [Mask(screen: "pay", rectangle: rectangle), Mask(screen: "pin")]
    func show(_ screen: String, at ms: Double) -> Track.Frame {
      var display = Self.screen
      display.screen = screen
      return Track.Frame(
        time: Timestamp(microseconds: Int64(ms * 1000)), touches: [], displays: [display])
    }
    let events = try events(
      [
        Self.frame(0, .began), show("pay", at: 500), show("pin", at: 1000), show("menu", at: 1500),
        Self.frame(2000, .ended),
      ], masks: masks)
    let spans = events.filter { $0.layer == events[0].layer }.map { [$0.start, $0.end] }
    #expect(spans == [[0, 50], [50, 100], [150, 225]])
    let clips = events.map { $0.tags.contains("\\iclip(4,m 0 0 l 400 0 400 200 0 200)") }
    #expect(clips == [false, true, false].flatMap { Array(repeating: $0, count: 3) })
  }

  /// While there are masks, a track gets touches late, possibly after a change of the screen that
  /// happened later than they did.
  @Test func `Touches that arrive late are drawn at their own time`() throws {
    var swipe = [Self.frame(0, .began)]
    swipe += (1...30).map { Self.frame(10 * Double($0), .moved, 100 + 5 * Double($0)) }
    swipe.append(Self.frame(310, .ended, 250))
    var display = Self.screen
    display.screen = "pay"
    let change = Track.Frame(
      time: Timestamp(microseconds: 200_000), touches: [], displays: [display])
    var late = swipe
    late.insert(change, at: 3)
    var sorted = swipe
    sorted.insert(change, at: 21)
    #expect(try events(late) == events(sorted))
    #expect(try events(late).contains { $0.centre(at: 10) == Point(x: 150, y: 100) })
  }

  /// For any motion, the events of a bubble have no gaps and no overlaps, and at each hundredth of
  /// a second the bubble is at the finger.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `A path is drawn without gaps or overlaps and follows the finger`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var time = Double.random(in: 0...20, using: &generator)
    var point = Point(x: 400, y: 240)
    var velocity = Point(x: 0, y: 0)
    var frames = [Self.frame(time, .began, point.x, point.y)]
    var truth = [(time, point)]
    for _ in 0..<200 {
      // A smooth motion, such as a finger can make.
      velocity.x += Double.random(in: -0.04...0.04, using: &generator)
      velocity.y += Double.random(in: -0.04...0.04, using: &generator)
      let step = Double.random(in: 5...16, using: &generator)
      time += step
      point = Point(x: point.x + velocity.x * step, y: point.y + velocity.y * step)
      frames.append(Self.frame(time, .moved, point.x, point.y))
      truth.append((time, point))
    }
    frames.append(Self.frame(time + 30, .ended, point.x, point.y))
    let all = try events(frames)
    let layer = try #require(all.map(\.layer).min())
    let discs = all.filter { $0.layer == layer }.sorted { $0.start < $1.start }
    #expect(discs.count < 180)
    for (one, two) in zip(discs, discs.dropFirst()) { #expect(one.end == two.start) }
    #expect(discs.first?.start == Int((truth[0].0 / 10).rounded()))
    var worst = 0.0
    for (one, two) in zip(truth, truth.dropFirst()) {
      for hundredth in Int(one.0 / 10) + 1...max(Int(one.0 / 10) + 1, Int(two.0 / 10))
      where Double(hundredth) * 10 <= two.0 {
        let part = (Double(hundredth) * 10 - one.0) / (two.0 - one.0)
        let real = Point(
          x: one.1.x + (two.1.x - one.1.x) * part, y: one.1.y + (two.1.y - one.1.y) * part)
        guard let disc = discs.first(where: { $0.start <= hundredth && hundredth < $0.end }),
          let drawn = disc.centre(at: Double(hundredth))
        else {
          Issue.record("nothing at \(hundredth)")
          continue
        }
        worst = max(worst, drawn.distance(to: real))
      }
    }
    #expect(worst < 0.25)
  }

  @Test(arguments: 0..<6) func `Random touches are drawn without gaps`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var style = BubbleStyle()
    (style.hasTrail, style.countsTaps) = (true, seed % 2 == 0)
    var frames: [Track.Frame] = []
    var time = -500.0
    for _ in 0..<300 {
      time += Double.random(in: -5...20, using: &generator)
      let phase = Phase.allCases[Int.random(in: 0..<Phase.allCases.count, using: &generator)]
      frames.append(
        Self.frame(
          time, phase, Double.random(in: -1e7...1e7, using: &generator), .infinity,
          touch: Int64.random(in: 0...9, using: &generator)))
      frames.append(
        Self.frame(
          time, phase, Double.random(in: 0...800, using: &generator), 40,
          touch: Int64.random(in: 0...9, using: &generator)))
    }
    let events = try events(frames, film: Self.film(style: style))
    #expect(!events.isEmpty)
    for (_, pieces) in Dictionary(grouping: events.filter { $0.layer > 0 }, by: \.layer) {
      for (one, two) in zip(pieces, pieces.dropFirst()) { #expect(one.end == two.start) }
    }
    #expect(events.allSatisfy { $0.start >= 0 && $0.start < $0.end })
  }

  @Test func `A track with thousands of changes takes seconds`() throws {
    let rectangle = try #require(Rectangle(x: 0, y: 0, width: 5, height: 5))
    let masks = (0..<300).map { _ in Mask(screen: "pay", rectangle: rectangle) }
    var frames: [Track.Frame] = []
    for step in 0..<10_000 {
      var display = Self.screen
      display.screen = step % 2 == 0 ? "pin" : "menu"
      frames.append(
        Track.Frame(
          time: Timestamp(microseconds: Int64(step) * 20_000), touches: [], displays: [display]))
      frames.append(Self.frame(Double(step) * 20 + 2, .began, touch: Int64(step)))
      frames.append(Self.frame(Double(step) * 20 + 4, .cancelled, touch: Int64(step)))
      frames.append(Self.frame(Double(step) * 20 + 5, .began, touch: Int64(step)))
      frames.append(Self.frame(Double(step) * 20 + 16, .cancelled, touch: Int64(step)))
    }
    var count = 0
    let time = try processorTime {
      count = try events(frames, masks: masks + [Mask(screen: "pin")]).count
    }
    #expect(count >= 5_000 * 3)
    #expect(time < 30_000_000_000 * slowness)
  }

  @Test func `A touch that rests for a year costs few events`() throws {
    var style = BubbleStyle()
    style.hasTrail = true
    let year = 365 * 86_400_000.0
    let all = try events(
      [
        Self.frame(0, .began), Self.frame(10, .moved, 300), Self.frame(year, .moved, 100),
        Self.frame(year + 30, .ended, 100),
      ], film: Self.film(style: style))
    let trails = all.filter { $0.layer == 0 }
    #expect(trails.contains { $0.start < 100 } && trails.contains { $0.start > 3_000_000_000 })
    #expect(trails.count < 200)
  }

  @Test func `A trail is redrawn every 10 to 30 ms`() throws {
    var style = BubbleStyle()
    style.hasTrail = true
    var frames = [Self.frame(0, .began, 100, 100)]
    for step in 1...60 {
      frames.append(Self.frame(Double(step) * 8, .moved, 100 + Double(step) * 4))
    }
    frames.append(Self.frame(490, .ended, 340))
    let all = try events(frames, film: Self.film(style: style))
    // The shade and the ribbon are redrawn together, every one to three hundredths of a second.
    let trails = all.filter { $0.layer == 0 }
    let starts = Set(trails.map(\.start)).sorted()
    #expect(trails.count == 2 * starts.count)
    for (one, two) in zip(starts, starts.dropFirst()) { #expect((1...3).contains(two - one)) }
    #expect(starts.count > 25 && starts.count < 100)
    // The trail is gone at the latest 0.4 s after the finger has lifted.
    #expect((trails.map(\.end).max() ?? 0) < 90)
    // The drawings of a finger that moves for half a second have less than 40 kB.
    #expect(all.reduce(0) { $0 + $1.drawing.utf8.count } < 40_000)
  }

  @Test func `Touches that are down at the end of the track end there`() throws {
    let events = try events([Self.frame(0, .began), Self.frame(500, .moved, 200)])
    #expect(events.map(\.end).max() == 50)
  }

  @Test func `Tap numbers are drawn as lines without a font`() throws {
    var style = BubbleStyle()
    style.countsTaps = true
    let events = try events(
      [
        Self.frame(0, .began), Self.frame(50, .ended), Self.frame(200, .began, touch: 2),
        Self.frame(250, .ended, touch: 2),
      ], film: Self.film(style: style))
    // There are 3 events for the first tap (a disc and two rings), and 5 for the second (also a
    // paler disc and the number).
    #expect(events.count == 8)
    let number = try #require(events.max { $0.layer < $1.layer })
    #expect(number.drawing.hasPrefix("m 0 0 l 0 0 m "))
  }

  @Test(
    arguments: [(0, "0"), (1.5, "1.5"), (-0.25, "-0.25"), (12.0004, "12"), (-3.0625, "-3.063")]
      as [(Double, String)])
  func `Numbers have at most three decimals`(value: Double, text: String) {
    #expect(Subtitles.decimals(value) == text)
  }

  @Test(
    arguments: [(0, "0:00:00.00"), (6_203, "0:01:02.03"), (36_000_000, "100:00:00.00")]
      as [(Int64, String)])
  func `Times have hours, minutes, seconds and hundredths`(hundredths: Int64, text: String) {
    #expect(Subtitles.clock(hundredths) == text)
  }
}
