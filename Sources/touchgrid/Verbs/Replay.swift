import ArgumentParser
import GridFormats
import Recordings
import TouchModel

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decodes a recording of a touchscreen.",
    discussion: """
      RECORDING is a file of evemu-record or of 'libinput record'. Points and blocks are those of a \
      display guessed from the device's ranges.

      --touches prints one JSON object a line for each touch, in order of their beginning: touch, \
      device, slot, trackingId (null on single touch), began and ended (time in seconds since the \
      first event, rawX, rawY, x and y in points, column, row), end (ended, cancelled, or open where \
      it was still down: ended is then where it was last seen), samples (frames in which it was \
      down).
      """)

  @Argument(help: "The recording's file.", completion: .file())
  var recording: String

  @Flag(help: "Print every touch.")
  var touches = false

  @Flag(help: "Print the summary as a JSON object.")
  var json = false

  func validate() throws {
    if touches, json { throw ValidationError("--touches is JSON already; leave --json out.") }
  }

  func run() throws {
    let decoded = DecodedRecording(try Recording.readAll(path: recording))
    guard !decoded.devices.isEmpty else {
      let causes = decoded.refused.map { "\($0.name.printable()): \($0.cause)" }
      throw Failure(
        "\(recording.printable(limit: 4096)): no touchscreen is in it ("
          + causes.joined(separator: "; ") + ")")
    }
    if touches {
      try writeLines(decoded.touchLines())
    } else if json {
      try writeLines([decoded.summaryJSON(path: recording).text])
    } else {
      try writeLines(decoded.summary(path: recording, width: Terminal.width))
    }
  }
}
