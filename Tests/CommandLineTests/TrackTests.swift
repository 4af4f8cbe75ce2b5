import Glibc
import TestSupport
import Testing
import TouchFeedback
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// Tracks: how they are written from live touches, read, and converted to subtitles.
@Suite final class TrackTests: FolderSuite {
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

  /// Returns the lines of a track of one tap, with line ends.
  private func written() throws -> [String] {
    var lines = lines()
    let mask = API.Mask(
      screen: "menu", display: nil, rectangle: API.Rectangle(x: 1, y: 2, width: 3, height: 4))
    var all = try lines.encode(
      reply([], at: 1_000_400, displays: [try SampleReplies.display()], masks: [mask]))
    all += try lines.encode(reply([SampleReplies.touch(7, .began)], at: 1_250_000))
    all += try lines.encode(reply([SampleReplies.touch(7, .ended)], at: 1_400_000, masks: []))
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

  @Test func `A written track is read with the same content`() throws {
    let lines = try written()
    #expect(lines[0].contains(#""startedAtMs":1795000000000"#))
    #expect(lines[0].contains(#""startedAtUs":1000000"#))
    let (track, isCutOff) = try read(lines.joined())
    #expect(!isCutOff)
    #expect(track.displayNames == ["HDMI-A-1"])
    #expect(track.displays.map(\.width) == [160] && track.displays.map(\.screen) == ["menu"])
    #expect(track.masks.map(\.screen) == ["menu"])
    #expect(track.frames.map(\.time.microseconds) == [250_000, 400_000])
    #expect(track.frames.map { $0.touches.map(\.phase) } == [[.began], [.ended]])
    #expect(track.frames.last?.masks == [])
  }

  @Test func `Touches of other displays are left out`() throws {
    var lines = lines(display: "A")
    let displays = [try SampleReplies.display("A"), try SampleReplies.display("B")]
    let head = try lines.encode(
      reply([SampleReplies.touch(1, .stationary, display: "B")], displays: displays))
    #expect(head.count == 1 && !head[0].contains(#""B""#))
    #expect(try lines.encode(reply([SampleReplies.touch(1, .moved, display: "B")])).isEmpty)
    #expect(try lines.encode(reply([SampleReplies.touch(2, .began, display: "A")])).count == 1)
    var none = self.lines(display: "C")
    #expect(throws: Failure.self) { try none.encode(self.reply([], displays: displays)) }
  }

  @Test func `Touches that are down are cancelled when the daemon disconnects`() throws {
    var lines = lines()
    _ = try lines.encode(
      reply([SampleReplies.touch(1, .began), SampleReplies.touch(2, .began)], displays: []))
    _ = try lines.encode(reply([SampleReplies.touch(1, .ended)]))
    let lost = try lines.cancelAll(atUs: 3_000_000)
    #expect(lost.count == 1 && lost[0].contains(#""cancellation":"lost""#))
    #expect(lost[0].contains(#""id":2"#) && lost[0].contains(#""atUs":2000000"#))
    #expect(try lines.cancelAll(atUs: 4_000_000).isEmpty)
  }

  // MARK: Tracks of other programs

  @Test func `An incomplete last line is ignored`() throws {
    let whole = try written()
    let text = whole.joined()
    let last = try #require(whole.last)
    for cut in [1, 2, 20, last.utf8.count - 1] {
      let (track, isCutOff) = try read(String(text.dropLast(cut)))
      // A last line that lacks only its line end is complete.
      #expect(track.frames.count == (cut == 1 ? 2 : 1) && isCutOff == (cut != 1))
    }
  }

  @Test func `Errors name their line`() throws {
    let lines = try written()
    let (head, frame) = (lines[0], lines[1])
    #expect(problem("").contains("it is empty"))
    #expect(problem("x").contains("no complete line"))
    #expect(problem(frame).contains("line 1: 'format' is missing"))
    #expect(problem("{}\n").contains("line 1: "))
    #expect(problem(head.replacing("touchgrid track", with: "MP4")).contains("its format is 'MP4'"))
    let newer = head.replacing(#""version":1"#, with: #""version":2"#)
    #expect(problem(newer).contains("a track of version 2, which needs a newer touchgrid"))
    #expect(problem(head + frame + "{\n" + frame).contains("it, line 3: "))
    #expect(problem(head + "\n" + frame).contains("it, line 2: "))
    #expect(
      problem(head + "\n" + frame).contains("remove this line to read the others"))
    #expect(problem(frame).contains("this is not a track: the first line must be the header"))
    let older = head.replacing(#""version":1"#, with: #""version":0"#)
    #expect(problem(older).hasSuffix("unknown track version 0"))
    #expect(problem(head + "[]\n").contains("it, line 2: "))
    #expect(problem(head + frame.replacing("began", with: "begun")).contains("it, line 2: "))
    #expect(
      problem(head + frame.replacing(#""x":10"#, with: #""x":"10""#)).contains(
        "it, line 2: 'touches.0.point.x' has the wrong type"))
  }

  @Test(arguments: [
    "1e400", "99999999999999999999", "40000000000000", "-40000000000000", "1.5", "null",
  ])
  func `Impossible times are refused`(time: String) throws {
    let lines = try written()
    let bad = lines[1].replacing(#""atUs":250000"#, with: #""atUs":"# + time)
    #expect(bad != lines[1])
    #expect(problem(lines[0] + bad).contains("it, line 2: "))
  }

  @Test func `Lines that are too deep, too long or invalid give an error`() throws {
    let lines = try written()
    let deep = String(repeating: "[", count: 100_000)
    #expect(problem(lines[0] + #"{"atUs":1,"touches":"# + deep + "\n").contains("it, line 2: "))
    let long = #"{"atUs":1,"touches":[],"x":""# + String(repeating: "a", count: 1 << 20) + "\"}\n"
    #expect(problem(lines[0] + long).contains("it is longer than 1024 KiB"))
    let wide = lines[0].replacing(#""pixelWidth":160"#, with: #""pixelWidth":999999999"#)
    #expect(wide != lines[0])
    #expect(problem(wide).contains("the geometry of display 'HDMI-A-1' is invalid"))
    let mask = lines[0].replacing(#""height":4"#, with: #""height":-4"#)
    #expect(mask != lines[0])
    #expect(problem(mask).contains("the rectangle of a mask is invalid"))
  }

  // MARK: Arguments

  @Test(
    arguments: [
      ("1.2s", 1_200_000), ("-300ms", -300_000), ("0", 0), ("2m", 120_000_000),
      ("-1.048576s", -1_048_576), ("1", nil), ("s", nil), (".5s", nil), ("1.s", nil), ("nans", nil),
      ("1e3s", nil), ("--1s", nil), ("999999999h", nil), ("1.2.3s", nil),
    ] as [(String, Int64?)])
  func `Offsets are numbers with a unit and an optional minus sign`(
    text: String, microseconds: Int64?
  ) {
    #expect(OffsetArgument(argument: text)?.microseconds == microseconds)
  }

  @Test func `Areas have the form WxH+X+Y`() {
    let area = AreaArgument(argument: "640x480+10+20.5")?.rectangle
    #expect(area == Rectangle(x: 10, y: 20.5, width: 640, height: 480))
    for text in ["", "640x480", "640x480+1", "0x480+1+1", "640x480-1+1", "axb+1+1", "1x1+1+1+1"] {
      #expect(AreaArgument(argument: text) == nil)
    }
  }

  // MARK: The verbs

  private func daemon() throws -> StubDaemon {
    let frames = [
      reply([], displays: [try SampleReplies.display()]),
      reply([SampleReplies.touch(1, .began)], at: 5_000_000),
      reply([SampleReplies.touch(1, .ended)], at: 5_100_000),
    ]
    return try StubDaemon(in: folder, ["WatchTouches": .stream(frames)])
  }

  private func subtitles(
    _ track: String, _ words: String..., size: String = "320x192", to output: String = "-"
  ) throws -> Program.Result {
    try folder.run(["subtitles", track, "--size", size, "-o", output] + words)
  }

  @Test func `A track is written and converted to subtitles`() throws {
    let daemon = try daemon()
    let path = folder.path("demo.track")
    let track = ["track", "--socket", daemon.path, "-o", path]
    let recorder = try Program.start(track, in: folder)
    try waitUntil { (try? TemporaryFolder.contents(path).split(separator: 10).count) == 3 }
    kill(recorder.process, SIGTERM)
    let result = try recorder.finish()
    #expect(result.status == 0)
    #expect(result.error.hasPrefix("touchgrid: wrote 1 touch in "))

    let refused = try Program.run(track, in: folder)
    #expect(refused.status == 1 && refused.error.contains("exists; give another name"))

    // The stub's touches have fixed times, which have nothing to do with the time at which the
    // track was started. The offset moves the first frame to the start of the video.
    let start = try #require(try read(folder.text("demo.track")).track.frames.first?.time)
    let made = try subtitles(path, "--offset", "\(-start.microseconds / 1000)ms")
    #expect(made.status == 0)
    #expect(made.error == "touchgrid: 1 touch from 0.0 s to 0.4 s of the video\n")
    #expect(made.text.hasPrefix("[Script Info]\n") && made.text.contains("PlayResX: 320\n"))
    #expect(made.text.split(separator: "\n").count { $0.hasPrefix("Dialogue: ") } == 3)
    let other = try subtitles(path, size: "320x240")
    #expect(other.status == 1 && other.error.contains("--area WxH+X+Y"))
    #expect(try subtitles(path, "--area", "320x192+0+24", size: "320x240").status == 0)
    #expect(try subtitles(path, "--area", "320x192+0+50", size: "320x240").status == 64)
    let display = try subtitles(path, "--display", "B")
    #expect(display.error.contains("has no display B; it has: HDMI-A-1"))
  }

  @Test func `subtitles replaces only subtitle files`() throws {
    let bytes = Array(try written().joined().utf8)
    let track = try folder.write(bytes, to: "a.track")
    let linked = unsafe symlink(track, folder.path("link.ass")) == 0
    let isHard = unsafe link(track, folder.path("hard.ass")) == 0
    #expect(linked && isHard)
    try folder.write("ftypisom", to: "a.mp4")
    for path in [track, folder.path("link.ass"), folder.path("hard.ass")] {
      let result = try subtitles(track, to: path)
      #expect(result.status == 1 && result.error.contains("is the track itself"))
    }
    #expect(try TemporaryFolder.contents(track) == bytes)
    let video = try subtitles(track, to: folder.path("a.mp4"))
    #expect(video.status == 1 && video.error.contains("is not a subtitle file"))
    #expect(try TemporaryFolder.contents(folder.path("a.mp4")) == Array("ftypisom".utf8))
    let nowhere = try subtitles(track, to: folder.path("none/a.ass"))
    #expect(nowhere.status == 1)
    #expect(nowhere.error.hasSuffix("none/a.ass cannot be opened: No such file or directory\n"))
    // Older files, with or without a byte order mark, are overwritten.
    try folder.write([0xef, 0xbb, 0xbf] + Array("[Script Info]\n".utf8), to: "a.ass")
    for _ in 1...2 { #expect(try subtitles(track, to: folder.path("a.ass")).status == 0) }
    #expect(try TemporaryFolder.contents(folder.path("a.ass")).count > 500)
  }

  @Test func `If nothing is drawn, the reason is reported`() throws {
    func said(_ text: String, _ options: String...) throws -> String {
      let track = try folder.write(text, to: "a.track")
      let result = try Program.run(
        ["subtitles", track, "--size", "320x192", "-o", "-"] + options, in: folder)
      #expect(result.status == 0)
      return result.error.replacing(track, with: "it")
    }
    let lines = try written()
    #expect(
      try said(lines.joined()) == "touchgrid: 1 touch from 0.3 s to 0.7 s of the video\n")
    #expect(
      try said(lines[0])
        == "touchgrid: nothing is drawn: it has no touch on HDMI-A-1\n")
    #expect(
      try said(lines.joined(), "--offset", "-2s")
        == "touchgrid: nothing is drawn: the only touch of it on HDMI-A-1 is before the start of "
        + "the video (the last ends at -1.4 s); see --offset\n")
    let mask = #""rectangle":{"height":4,"width":3,"x":1,"y":2},"#
    let whole = lines[0].replacing(mask, with: "")
    #expect(whole != lines[0])
    let masked = whole + lines[1] + lines[2].replacing(#""masks":[],"#, with: "")
    #expect(
      try said(masked)
        == "touchgrid: nothing is drawn: the only touch of it on HDMI-A-1 is in masks of the whole "
        + "screen\n")
  }

  @Test func `--display selects one of two displays`() throws {
    let track = folder.path("a.track")
    var lines = lines()
    let displays = [try SampleReplies.display("A"), try SampleReplies.display("B")]
    var all = try lines.encode(reply([], at: 1_000_000, displays: displays))
    for (id, display, time) in [(1, "A", 1), (2, "B", 2), (3, "B", 3)] as [(Int64, String, Int64)] {
      let at = 1_000_000 + time * 1_000_000
      all += try lines.encode(reply([SampleReplies.touch(id, .began, display: display)], at: at))
      all += try lines.encode(
        reply([SampleReplies.touch(id, .ended, display: display)], at: at + 500_000))
    }
    try folder.write(all.map { $0 + "\n" }.joined(), to: "a.track")
    let make = ["subtitles", track, "--size", "320x192", "-o", "-"]
    let both = try Program.run(make, in: folder)
    #expect(both.status == 1 && both.error.contains("choose one with --display: A, B"))
    for (display, said) in [("A", "1 touch from 1.0 s to 1.8 s"), ("B", "2 touches from 2.0 s")] {
      let one = try Program.run(make + ["--display", display], in: folder)
      #expect(one.status == 0 && one.error.contains(said))
    }
  }

  @Test func `Errors about wrong values say what is wrong`() {
    let make = ["subtitles", "a.track", "--size", "320x192", "-o", "a.ass"]
    let track = ["track", "-o", "b.track"]
    for (words, said) in [
      (make + ["--diameter", "-5"], "--diameter takes 8 to 400 points."),
      (make + ["--offset", "-1.2"], "its unit is missing; for seconds, write -1.2s."),
      (make + ["--offset", "soon"], "it must be a time such as 1.2s"),
      (make + ["--area", "320x192"], "write 320x192+0+0."),
      (make + ["--area", "-1"], "it must be WxH+X+Y"),
      (track + ["--duration", "-3s"], "it must be an integer and a unit"),
      (track + ["--duration", "0s"], "it must be longer than 0."),
      (track + ["--duration", "3"], "its unit is missing; for seconds, write 3s."),
    ] {
      let result = Program.parse(words)
      #expect(result.status == 64 && result.error.contains(said), "\(words)")
    }
  }

  @Test func `A track to a pipe ends after --duration`() throws {
    let daemon = try daemon()
    let result = try Program.run(
      ["track", "--socket", daemon.path, "-o", "-", "--duration", "300ms"], in: folder)
    // On a busy machine, not all frames may come in time.
    #expect(result.status == 0 && result.text.split(separator: "\n").count <= 3)
    #expect(result.error.hasPrefix("touchgrid: "))
  }

  @Test func `Without a daemon, track creates no file`() throws {
    let result = try Program.run(
      ["track", "--socket", folder.path("none"), "-o", folder.path("a.track")], in: folder)
    #expect(result.status == 1 && result.error.contains("no daemon answers: "))
    #expect(try !folder.names.contains("a.track"))
  }
}
