import Text
import TouchFeedback
import TouchModel
import TouchgridAPI

/// Reads tracks. Their contents are untrusted.
struct TrackReader {
  /// The longest line, in bytes. Replies of the daemon are much shorter.
  static let lineLimit = 1 << 20
  /// The largest file, in bytes.
  static let sizeLimit = 1 << 29
  /// The longest track: a year, in µs.
  static let timeLimit: Int64 = 366 * 86_400 * 1_000_000

  private let name: String
  /// Whether the last line was incomplete and was left out, as when `touchgrid track` was
  /// killed.
  private(set) var isCutOff = false

  init(name: String) { self.name = name }

  mutating func read(_ bytes: [UInt8]) throws(Failure) -> Track {
    var lines = bytes[...].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The text after the last newline is empty or an incomplete line.
    let rest = lines.popLast() ?? []
    guard let first = lines.first else {
      let reason = rest.isEmpty ? "it is empty" : "it has no complete line"
      throw Failure("\(name) is not a track of 'touchgrid track': \(reason)")
    }
    let header = try header(first)
    var track = Track(
      displays: try displays(header.displays, line: 1), masks: try masks(header.masks, line: 1),
      frames: [])
    track.frames.reserveCapacity(lines.count - 1)
    for (index, line) in lines.enumerated().dropFirst() {
      track.frames.append(try frame(line, number: index + 1))
    }
    if !rest.isEmpty {
      if let frame = try? frame(rest, number: lines.count + 1) {
        track.frames.append(frame)
      } else {
        isCutOff = true
      }
    }
    return track
  }

  private func header(_ line: ArraySlice<UInt8>) throws(Failure) -> TrackHeader {
    let format: TrackFormat
    do throws(Problem) { format = try value(of: line) } catch { throw noTrack(error.reason) }
    guard format.format == TrackHeader.format else {
      throw noTrack("its format is '\(format.format.printable())', not '\(TrackHeader.format)'")
    }
    guard format.version <= Track.version else {
      throw Failure(
        "\(name) is a track of version \(format.version), which needs a newer touchgrid; this one "
          + "reads version \(Track.version)")
    }
    guard format.version == Track.version else {
      throw problem(1, "unknown track version \(format.version)")
    }
    return try decode(TrackHeader.self, line, number: 1)
  }

  private func noTrack(_ reason: String) -> Failure {
    Failure(
      "\(name), line 1: \(reason); this is not a track: the first line must be the header that "
        + "'touchgrid track' writes")
  }

  private func frame(_ line: ArraySlice<UInt8>, number: Int) throws(Failure) -> Track.Frame {
    let reply = try decode(API.WatchTouches.Reply.self, line, number: number)
    guard (-Self.timeLimit...Self.timeLimit).contains(reply.atUs) else {
      throw problem(number, "its time, \(reply.atUs) µs, is more than a year")
    }
    let touches = reply.touches.map {
      TouchSample(
        touch: $0.id, phase: $0.phase, point: Point(x: $0.point.x, y: $0.point.y),
        display: $0.display)
    }
    var frame = Track.Frame(time: Timestamp(microseconds: reply.atUs), touches: touches)
    if let all = reply.displays { frame.displays = try displays(all, line: number) }
    if let all = reply.masks { frame.masks = try masks(all, line: number) }
    return frame
  }

  private func displays(_ all: [API.Display], line: Int) throws(Failure) -> [Track.Display] {
    var displays: [Track.Display] = []
    for display in all {
      guard let geometry = display.geometry.displayGeometry else {
        throw problem(line, "the geometry of display '\(display.name.printable())' is invalid")
      }
      displays.append(
        Track.Display(
          name: display.name, width: geometry.width, height: geometry.height,
          screen: display.screen))
    }
    return displays
  }

  private func masks(_ all: [API.Mask], line: Int) throws(Failure) -> [TouchModel.Mask] {
    var masks: [TouchModel.Mask] = []
    for mask in all {
      let rectangle = mask.rectangle?.rectangle
      // Reject the track instead of leaving the mask out, because nothing may be drawn inside a
      // mask.
      if mask.rectangle != nil, rectangle == nil {
        throw problem(line, "the rectangle of a mask is invalid")
      }
      masks.append(
        TouchModel.Mask(screen: mask.screen, display: mask.display, rectangle: rectangle))
    }
    return masks
  }

  private struct Problem: Error { var reason: String }

  private func value<Value: Decodable>(of line: ArraySlice<UInt8>) throws(Problem) -> Value {
    guard line.count <= Self.lineLimit else {
      throw Problem(reason: "it is longer than \(Self.lineLimit >> 10) KiB")
    }
    do throws(JSON.Problem) {
      return try JSON.decode(Value.self, from: line)
    } catch {
      throw Problem(reason: error.reason.printable(limit: 300))
    }
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, _ line: ArraySlice<UInt8>, number: Int
  ) throws(Failure) -> Value {
    do throws(Problem) { return try value(of: line) } catch { throw problem(number, error.reason) }
  }

  private func problem(_ line: Int, _ reason: String) -> Failure {
    let end = line == 1 ? "" : "; remove this line to read the others"
    return Failure("\(name), line \(line): \(reason)\(end)")
  }
}
