internal import TouchFeedback
internal import TouchModel

@testable import TouchgridCommands

/// Fuzzes a track: `touchgrid subtitles` reads it and draws it.
func fuzzTrack(_ bytes: [UInt8]) {
  var reader = TrackReader(name: "input")
  let track: Track
  do throws(Failure) {
    track = try reader.read(bytes)
  } catch {
    return must(!error.description.isEmpty, "an error has words")
  }
  // Skip tracks of a minute or more: their subtitles are large, and the fuzzer tries a million
  // inputs.
  let times = track.frames.map(\.time)
  guard let first = times.min(), let last = times.max(), last - first < 60_000_000,
    let display = track.displays.first ?? track.frames.lazy.compactMap(\.displays?.first).first
  else { return }
  let limit = Double(VideoLayout.pixelLimit)
  let (width, height) = (min(display.width.rounded(), limit), min(display.height.rounded(), limit))
  guard let area = Rectangle(x: 0, y: 0, width: width, height: height) else { return }
  var style = BubbleStyle()
  (style.hasTrail, style.countsTaps, style.coloursByFinger) = (true, true, true)
  let film = VideoLayout(
    width: Int(width), height: Int(height), area: area, offset: 0, display: display.name,
    style: style)
  guard let subtitles = try? Subtitles(track, film: film, version: "0") else { return }
  for line in subtitles.lines {
    must(!line.utf8.contains { $0 < 0x20 }, "a subtitle is one line")
  }
}
