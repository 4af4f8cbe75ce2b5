import Glibc
import Testing
import TouchFeedback
import TouchModel
import TouchTracks
import TouchgridAPI
import Varlink

@testable import touchgrid

/// Tracks: written while touches happen, and read whoever wrote them.
@Suite struct TrackTests {
  private func reply(
    _ touches: [API.Touch], at time: Int64 = 0, displays: [API.Display]? = nil,
    masks: [API.Mask]? = nil
  ) -> API.WatchTouches.Reply {
    API.WatchTouches.Reply(atUs: time, touches: touches, displays: displays, masks: masks)
  }

  private func lines(display: String? = nil) -> TrackLines {
    TrackLines(display: display, startedAtMs: 1_795_000_000_000, startedAtUs: 1_000_000)
  }

  private func read(_ text: String) throws -> (track: Track, isCutOff: Bool) {
    var reader = TrackReader(name: "it")
    let track = try reader.read(Array(text.utf8))
    return (track, reader.isCutOff)
  }

  /// A track of one tap, each line ended.
  private func written() throws -> [String] {
    var lines = lines()
    let mask = API.Mask(
      screen: "menu", display: nil, rectangle: API.Rectangle(x: 1, y: 2, width: 3, height: 4))
    var all = try lines.take(
      reply([], at: 1_000_400, displays: [try SampleReplies.display()], masks: [mask]))
    all += try lines.take(reply([SampleReplies.touch(7, .began)], at: 1_250_000))
    all += try lines.take(reply([SampleReplies.touch(7, .ended)], at: 1_400_000, masks: []))
    #expect(lines.touches == 1)
    return all.map { $0 + "\n" }
  }

  private func problem(_ text: String) -> String {
    do {
      _ = try read(text)
      return ""
    } catch {
      return "\(error)"
    }
  }

  // MARK: Lines

  @Test func whatIsWrittenIsReadAgain() throws {
    let (track, isCutOff) = try read(try written().joined())
    #expect(!isCutOff)
    #expect(track.displayNames == ["HDMI-A-1"])
    #expect(track.displays.map(\.width) == [160] && track.displays.map(\.screen) == ["menu"])
    #expect(track.masks.map(\.screen) == ["menu"])
    #expect(track.frames.map(\.time.microseconds) == [250_000, 400_000])
    #expect(track.frames.map { $0.touches.map(\.phase) } == [[.began], [.ended]])
    #expect(track.frames.last?.masks == [])
  }

  @Test func theFirstLineTellsWhenAndWhere() throws {
    let head = try #require(try written().first)
    for part in [
      #""format":"touchgrid track""#, #""version":1"#, #""startedAtMs":1795000000000"#,
      #""startedAtUs":1000000"#, #""name":"HDMI-A-1""#,
    ] { #expect(head.contains(part)) }
  }

  @Test func touchesOfOtherDisplaysAreLeftOut() throws {
    var lines = lines(display: "A")
    let displays = [try SampleReplies.display("A"), try SampleReplies.display("B")]
    let head = try lines.take(
      reply([SampleReplies.touch(1, .stationary, display: "B")], displays: displays))
    #expect(head.count == 1 && !head[0].contains(#""B""#))
    #expect(try lines.take(reply([SampleReplies.touch(1, .moved, display: "B")])).isEmpty)
    #expect(try lines.take(reply([SampleReplies.touch(2, .began, display: "A")])).count == 1)
    var none = self.lines(display: "C")
    #expect(throws: Failure.self) { try none.take(self.reply([], displays: displays)) }
  }

  @Test func whatIsDownIsCancelledWhereTheDaemonGoes() throws {
    var lines = lines()
    _ = try lines.take(
      reply([SampleReplies.touch(1, .began), SampleReplies.touch(2, .began)], displays: []))
    _ = try lines.take(reply([SampleReplies.touch(1, .ended)]))
    let lost = try lines.lose(atUs: 3_000_000)
    #expect(lost.count == 1 && lost[0].contains(#""cancellation":"lost""#))
    #expect(lost[0].contains(#""id":2"#) && lost[0].contains(#""atUs":2000000"#))
    #expect(try lines.lose(atUs: 4_000_000).isEmpty)
  }

  // MARK: Tracks of others

  @Test func aLineThatWasCutOffIsLeftOut() throws {
    let whole = try written()
    let text = whole.joined()
    let last = try #require(whole.last)
    for cut in [1, 2, 20, last.utf8.count - 1] {
      let (track, isCutOff) = try read(String(text.dropLast(cut)))
      // Without its newline alone, the line is whole.
      #expect(track.frames.count == (cut == 1 ? 2 : 1) && isCutOff == (cut != 1))
    }
  }

  @Test func errorsNameTheirLine() throws {
    let lines = try written()
    let (head, frame) = (lines[0], lines[1])
    #expect(problem("").contains("it is empty"))
    #expect(problem("x").contains("not one whole line"))
    #expect(problem(frame).contains("line 1: 'format' is missing"))
    #expect(problem("{}\n").contains("line 1: "))
    #expect(problem(head.replacing("touchgrid track", with: "MP4")).contains("its format is 'MP4'"))
    let newer = head.replacing(#""version":1"#, with: #""version":2"#)
    #expect(problem(newer).contains("a track of version 2, which only a newer touchgrid reads"))
    #expect(problem(head + frame + "{\n" + frame).contains("it, line 3: "))
    #expect(problem(head + "\n" + frame).contains("it, line 2: "))
    #expect(problem(head + "[]\n").contains("it, line 2: "))
    #expect(problem(head + frame.replacing("began", with: "begun")).contains("it, line 2: "))
    #expect(
      problem(head + frame.replacing(#""x":10"#, with: #""x":"10""#)).contains(
        "it, line 2: 'touches.Index 0.point.x' is of another kind"))
  }

  @Test(arguments: [
    "1e400", "99999999999999999999", "40000000000000", "-40000000000000", "1.5", "null",
  ])
  func timesThatCannotBeAreRefused(time: String) throws {
    let lines = try written()
    let bad = lines[1].replacing(#""atUs":250000"#, with: #""atUs":"# + time)
    #expect(bad != lines[1])
    #expect(problem(lines[0] + bad).contains("it, line 2: "))
  }

  @Test func hostileLinesEndInAnError() throws {
    let lines = try written()
    let deep = String(repeating: "[", count: 100_000)
    #expect(problem(lines[0] + #"{"atUs":1,"touches":"# + deep + "\n").contains("it, line 2: "))
    let long = #"{"atUs":1,"touches":[],"x":""# + String(repeating: "a", count: 1 << 20) + "\"}\n"
    #expect(problem(lines[0] + long).contains("it is longer than 1024 KiB"))
    let wide = lines[0].replacing(#""pixelWidth":160"#, with: #""pixelWidth":999999999"#)
    #expect(wide != lines[0])
    #expect(problem(wide).contains("the geometry of display 'HDMI-A-1' cannot be"))
    let mask = lines[0].replacing(#""height":4"#, with: #""height":-4"#)
    #expect(mask != lines[0])
    #expect(problem(mask).contains("a mask's rectangle cannot be"))
  }

  // MARK: Arguments

  @Test(
    arguments: [
      ("1.2s", 1_200_000), ("-300ms", -300_000), ("0", 0), ("2m", 120_000_000),
      ("-1.048576s", -1_048_576), ("1", nil), ("s", nil), (".5s", nil), ("1.s", nil), ("nans", nil),
      ("1e3s", nil), ("--1s", nil), ("999999999h", nil), ("1.2.3s", nil),
    ] as [(String, Int64?)])
  func offsets(text: String, microseconds: Int64?) {
    #expect(OffsetArgument(argument: text)?.microseconds == microseconds)
  }

  @Test func areas() {
    let area = AreaArgument(argument: "640x480+10+20.5")?.rectangle
    #expect(area == Rectangle(x: 10, y: 20.5, width: 640, height: 480))
    for text in ["", "640x480", "640x480+1", "0x480+1+1", "640x480-1+1", "axb+1+1", "1x1+1+1+1"] {
      #expect(AreaArgument(argument: text) == nil)
    }
  }

  // MARK: The verbs

  private func daemon(in folder: TemporaryFolder) throws -> StubDaemon {
    let frames = [
      reply([], displays: [try SampleReplies.display()]),
      reply([SampleReplies.touch(1, .began)], at: 5_000_000),
      reply([SampleReplies.touch(1, .ended)], at: 5_100_000),
    ]
    return try StubDaemon(
      in: folder,
      ["WatchTouches": { _ in .replies(frames.map { EncodedReply($0, continues: true) }) }])
  }

  @Test func aTrackIsRecordedAndMadeIntoSubtitles() throws {
    let folder = try TemporaryFolder()
    let daemon = try daemon(in: folder)
    let path = folder.path("demo.track")
    let record = ["record", "--socket", daemon.path, "-o", path]
    let recorder = try Program.start(record, in: folder)
    try waitUntil { (try? TemporaryFolder.contents(path).split(separator: 10).count) == 3 }
    kill(recorder.process, SIGTERM)
    let result = try recorder.finish()
    #expect(result.status == 0)
    #expect(result.error.hasPrefix("touchgrid: 1 touch in "))

    let refused = try Program.run(record, in: folder)
    #expect(refused.status == 1 && refused.error.contains("is there already; give another name"))

    // The stub's clock is not that of the start: the offset brings its touches into the film.
    let start = try #require(
      try read(String(decoding: TemporaryFolder.contents(path), as: UTF8.self)).track.frames.first?
        .time)
    let offset = "\(-start.microseconds / 1000)ms"
    let subtitles = ["subtitles", path, "--offset", offset, "-o", "-"]
    let made = try Program.run(subtitles + ["--size", "320x192"], in: folder)
    #expect(made.status == 0)
    #expect(made.error == "touchgrid: 1 touch from 0.0 s to 0.4 s of the video\n")
    #expect(made.text.hasPrefix("[Script Info]\n") && made.text.contains("PlayResX: 320\n"))
    #expect(made.text.split(separator: "\n").count { $0.hasPrefix("Dialogue: ") } == 3)
    let other = try Program.run(subtitles + ["--size", "320x240"], in: folder)
    #expect(other.status == 1 && other.error.contains("--area WxH+X+Y"))
    let area = try Program.run(
      subtitles + ["--size", "320x240", "--area", "320x192+0+24"], in: folder)
    #expect(area.status == 0)
    let outside = try Program.run(
      subtitles + ["--size", "320x240", "--area", "320x192+0+50"], in: folder)
    #expect(outside.status == 64)
    let display = try Program.run(
      subtitles + ["--size", "320x192", "--display", "B"], in: folder)
    #expect(display.error.contains("has no display B; it has: HDMI-A-1"))
  }

  @Test func aRecordingEndsAfterItsTimeAndGoesToAPipe() throws {
    let folder = try TemporaryFolder()
    let daemon = try daemon(in: folder)
    let result = try Program.run(
      ["record", "--socket", daemon.path, "-o", "-", "--duration", "300ms"], in: folder)
    #expect(result.status == 0)
    #expect(result.text.split(separator: "\n").count == 3)
    #expect(result.error.hasPrefix("touchgrid: 1 touch in 0."))
  }

  @Test func withoutADaemonNoFileIsMade() throws {
    let folder = try TemporaryFolder()
    let result = try Program.run(
      ["record", "--socket", folder.path("none"), "-o", folder.path("a.track")], in: folder)
    #expect(result.status == 1 && result.error.contains("no daemon runs"))
    let isThere = unsafe access(folder.path("a.track"), F_OK) == 0
    #expect(!isThere)
  }
}
