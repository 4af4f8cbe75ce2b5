import ArgumentParser
import Heatmaps
import Recordings
import Text
import TouchModel

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reads a recording of a touchscreen, and prints a summary of its touches.",
    discussion: """
      RECORDING is a file of evemu-record or of 'libinput record'. Points and blocks are those of a \
      display guessed from the device's ranges.

      --touches prints one JSON object per line for each touch, ordered by touch-down: touch, device, \
      slot, trackingId (null on single touch), began and ended (time in seconds since the first event, \
      rawX, rawY, x and y in points, column, row), end (ended, cancelled, or open if it was still down; \
      ended is then its last position), samples (the number of frames in which it was down).
      """)

  @Argument(help: "The file of the recording.", completion: .file())
  var recording: String

  @Flag(help: "Print every touch.")
  var touches = false

  @Flag(help: "Print the summary as a JSON object.")
  var json = false

  func validate() throws {
    if touches, json {
      throw ValidationError("--touches prints JSON and cannot be combined with --json.")
    }
  }

  func run() throws {
    let decoded = DecodedRecording(try Recording.readAll(path: recording))
    guard !decoded.devices.isEmpty else {
      let causes = decoded.refused.map { "\($0.name.printable()): \($0.cause)" }
      throw Failure(
        "\(recording.printable(limit: 4096)) has no touchscreen ("
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
