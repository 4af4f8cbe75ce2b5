import ArgumentParser
import Glibc
import Heatmaps
import ProgramArguments
import Text
import TouchFeedback
import TouchModel

struct MakeSubtitles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subtitles",
    abstract: "Makes subtitles that draw the touches of a track on a video.",
    discussion: """
      TRACK is a file of 'touchgrid track'; - is standard input. The subtitles are ASS with vector \
      shapes. Players such as mpv and VLC show them if they lie beside the video under its name \
      (a.mp4, a.ass), and ffmpeg can draw them into the video:

        touchgrid subtitles a.track --size 1920x1080 -o a.ass
        ffmpeg -i a.mp4 -vf ass=a.ass out.mp4

      --offset is the time in the video at which the track starts. If a finger touches down 4.7 s \
      after the start of the track, and at 3.5 s of the video, the offset is -1.2s. If the video began \
      first, it is positive. docs/tracks.md describes how to find it.
      """)

  @Argument(help: "The file of the track.", completion: .file())
  var track: String

  @Option(
    help: ArgumentHelp("The size of the video in pixels.", valueName: "WxH"),
    transform: PixelsArgument.read)
  var size: PixelsArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time in the video at which the track starts: 1.2s, -300ms.", valueName: "time"),
    transform: OffsetArgument.read)
  var offset: OffsetArgument?

  @Option(
    help: ArgumentHelp(
      "The display that the video shows, if the track has several.", valueName: "name"))
  var display: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The part of the video that shows the display, in pixels. Default: all of it.",
      valueName: "WxH+X+Y"), transform: AreaArgument.read)
  var area: AreaArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Diameter of a bubble in points of the display, 8 to 400. Default: 44.", valueName: "points"),
    transform: readNumber)
  var diameter = 44.0

  @OptionGroup var appearance: BubbleAppearance

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
    completion: .file(extensions: ["ass"]))
  var output: String

  func validate() throws {
    let limit = VideoLayout.pixelLimit
    guard (1...limit).contains(size.width), (1...limit).contains(size.height) else {
      throw ValidationError("--size takes 1 to \(limit) pixels in each direction.")
    }
    guard BubbleStyle.sizes.contains(diameter) else {
      throw ValidationError("--diameter takes 8 to 400 points.")
    }
    if let area = area?.rectangle,
      area.x + area.width > Double(size.width) || area.y + area.height > Double(size.height)
    {
      throw ValidationError("--area must lie within --size.")
    }
  }

  func run() throws {
    let name = track == "-" ? "standard input" : track.printable(limit: 4096)
    let file = output == "-" ? nil : SubtitleFile(path: output)
    try file?.check(source: track, name: name)
    var reader = TrackReader(name: name)
    let track = try reader.read(
      try readFile(track == "-" ? "/dev/stdin" : track, limit: TrackReader.sizeLimit))
    let film = try film(of: track, name: name)
    let subtitles = try subtitles(track, film, name: name)
    if let file {
      // Only this user may read the subtitles, because others may not read the track.
      umask(0o077)
      try writeFile(Array(subtitles.lines.map { $0 + "\n" }.joined().utf8), to: file.path)
    } else {
      try writeLines(subtitles.lines)
    }
    if reader.isCutOff {
      writeError("\(name): the last line is incomplete, and was left out; the rest is complete")
    }
    writeError(said(of: subtitles, film, name))
    if let file, subtitles.touches > 0, isatty(STDERR_FILENO) == 1, let example = file.example {
      writeError("to draw them into the video: \(example)")
    }
  }

  /// Returns a message about the drawn touches, or the reason why none were drawn.
  private func said(of subtitles: Subtitles, _ film: VideoLayout, _ name: String) -> String {
    let place = output == "-" ? "" : ", in \(output.printable(limit: 4096))"
    if let span = subtitles.span {
      return "\(touches(subtitles.touches)) from \(seconds(tenths: span.lowerBound)) to "
        + "\(seconds(tenths: span.upperBound)) of the video\(place)"
    }
    guard subtitles.allTouches > 0 else {
      return "nothing is drawn: \(name) has no touch on \(film.display.printable())"
    }
    let all =
      subtitles.allTouches == 1
      ? "the only touch of \(name) on \(film.display.printable()) is "
      : "all \(subtitles.allTouches) touches of \(name) on \(film.display.printable()) are "
    if subtitles.hiddenTouches == subtitles.allTouches {
      return "nothing is drawn: \(all)in masks of the whole screen"
    }
    let masked = subtitles.hiddenTouches > 0 ? " or in masks of the whole screen" : ""
    let end = subtitles.lastEnd.map { " (the last ends at \(seconds(tenths: $0)))" } ?? ""
    return "nothing is drawn: \(all)before the start of the video\(end)\(masked); see --offset"
  }

  private func touches(_ count: Int) -> String { counted(UInt64(count), "touch", "touches") }

  private func seconds(tenths microseconds: Int64) -> String {
    let tenths = (microseconds.magnitude + 50_000) / 100_000
    return "\(microseconds < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) s"
  }

  private func film(of track: Track, name: String) throws(Failure) -> VideoLayout {
    let names = track.displayNames
    let list = names.map { $0.printable() }.joined(separator: ", ")
    guard let display = display ?? (names.count == 1 ? names.first : nil) else {
      throw Failure(
        names.isEmpty
          ? "\(name) has no display, so there is nothing to draw"
          : "\(name) has touches of several displays; choose one with --display: \(list)")
    }
    guard names.contains(display) else {
      throw Failure("\(name) has no display \(display.printable()); it has: \(list)")
    }
    guard
      let all = Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    else { throw Failure("--size has no area") }
    return VideoLayout(
      width: size.width, height: size.height, area: area?.rectangle ?? all,
      offset: offset?.microseconds ?? 0, display: display,
      style: appearance.style(size: diameter))
  }

  private func subtitles(
    _ track: Track, _ film: VideoLayout, name: String
  ) throws(Failure) -> Subtitles {
    do throws(SubtitlesError) {
      return try Subtitles(track, film: film, version: touchgridVersion)
    } catch {
      switch error {
      case .tooLarge:
        throw Failure("\(name) would make subtitles of more than a gigabyte; make a shorter track")
      case .noSuchDisplay: throw Failure("\(name) has no display \(film.display.printable())")
      case .otherShape(let time, let width, let height):
        let part = area == nil ? "the video" : "the area"
        throw Failure(
          "\(film.display.printable()) is \(roundedDigits(width)) x \(roundedDigits(height)) points "
            + "at \(seconds(time)) of the track, which is another shape than \(part) of "
            + "\(roundedDigits(film.area.width)) x \(roundedDigits(film.area.height)) pixels: give the part "
            + "of the video that shows the display with --area WxH+X+Y")
      }
    }
  }

  private func seconds(_ microseconds: Int64) -> String {
    roundedDigits(Double(microseconds) / 1e6) + " s"
  }
}
