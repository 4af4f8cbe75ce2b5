import FoundationEssentials
import Glibc
import Recordings
import Reports
import TestSupport
import Testing
import TouchInput
import TouchModel

@testable import TouchgridCommands

/// The folder with recordings of real devices, and with the touches that two independent decoders
/// found in these recordings. It is outside this repository: the variable `TOUCHGRID_CORPUS` names
/// it. nil if the variable is unset or empty; the tests are then left out.
private let corpus: String? = {
  let folder = unsafe getenv("TOUCHGRID_CORPUS").map { unsafe String(cString: $0) }
  if folder ?? "" == "" {
    print("LEFT OUT: ReplayCorpusTests. Set TOUCHGRID_CORPUS to the folder of the recordings.")
    return nil
  }
  return folder
}()

/// libinput's result for a recording that was played through a real kernel.
private struct LibinputRow: Decodable {
  var recording: String
  var tagged: Bool?
  var expectedTouches: Int?
  var libinputDowns: Int?

  private enum CodingKeys: String, CodingKey {
    case recording
    case tagged
    case expectedTouches = "expected_touches"
    case libinputDowns = "libinput_downs"
  }
}

private func expectations() throws -> [CorpusExpectation] {
  try corpus.map(CorpusExpectation.all) ?? []
}

@Suite(.enabled(if: corpus != nil, "TOUCHGRID_CORPUS names no folder of recordings"))
struct ReplayCorpusTests {
  @Test func `All 59 expectations are found`() throws {
    #expect(try expectations().count == 59)
  }

  /// Compares the recordings for which no expected difference from libinput is listed.
  @Test func `The number of touches equals libinput's, except for known differences`() throws {
    let corpus = try #require(corpus)
    let bytes = try TemporaryFolder.contents(corpus + "/libinput.json")
    let rows = try JSONDecoder().decode([LibinputRow].self, from: Data(bytes))
    var compared = 0
    for row in rows where row.tagged == true && row.expectedTouches == nil {
      guard let downs = row.libinputDowns else { continue }
      let decoded = DecodedRecording(try Recording.readAll(path: corpus + "/" + row.recording))
      #expect(decoded.touches.count == downs, "\(row.recording)")
      compared += 1
    }
    #expect(compared == 42)
  }

  @Test(arguments: try expectations())
  func `The touches of a real device are the expected ones`(_ expected: CorpusExpectation) throws {
    let path = try #require(corpus) + "/" + expected.eventFile
    let decoded = DecodedRecording(try Recording.readAll(path: path))
    let found = decoded.touches.map { touch in
      "\(touch.slot) \(touch.trackingID ?? -1): "
        + "\(touch.began.rawX),\(touch.began.rawY) to \(touch.last.rawX),\(touch.last.rawY), "
        + "\(touch.samples) frames"
    }
    let wanted = expected.touches.map { touch in
      "\(touch.slot) \(touch.tid): \(touch.x0 ?? 0),\(touch.y0 ?? 0) to "
        + "\(touch.x1 ?? 0),\(touch.y1 ?? 0), \(touch.n) frames"
    }
    #expect(found.sorted() == wanted.sorted())
    #expect(found.count == wanted.count)
  }

  /// Nobody has drawn along lines here; the numbers must be possible for a finger all the same.
  @Test(arguments: try expectations())
  func `A test of a panel measures the touches of a real device`(
    _ expectation: CorpusExpectation
  ) throws {
    let path = try #require(corpus) + "/" + expectation.eventFile
    let recording = try #require(try Recording.readAll(path: path).first)
    var decoder = try DeviceDecoder(recording.description)
    var mint = TouchIDGenerator()
    var recorder = PanelStrokeRecorder()
    if let slot = recording.initialValues[AbsCode.mtSlot] {
      _ = decoder.process(
        InputEvent(time: .zero, type: EventType.abs, code: AbsCode.mtSlot, value: slot), mint: &mint
      )
    }
    for event in recording.events where decoder.process(event, mint: &mint).isFrame {
      recorder.add(decoder.updates, at: event.time)
    }
    let starts = recorder.strokes.compactMap(\.samples.first).map { "\($0.x),\($0.y)" }
    #expect(
      starts.sorted() == expectation.touches.map { "\($0.x0 ?? 0),\($0.y0 ?? 0)" }.sorted())
    let (x, y) = (decoder.contactProtocol.x, decoder.contactProtocol.y)
    let surface = try #require(
      PanelSurface(
        x: x.minimum...x.maximum, y: y.minimum...y.maximum, width: 300, height: 180,
        sizeSource: .option))
    for stroke in recorder.strokes {
      let line = PanelMeasures([stroke], of: .line, on: surface)
      #expect(line.breaks == 0 && line.extraTouches == 0)
      for value in [line.jitter, line.linearity, line.largestGap] {
        #expect(value.map { (0...400).contains($0) } ?? true, "\(line)")
      }
      #expect(line.gapRatio.map { $0 >= 1 && $0.isFinite } ?? true, "\(line)")
      #expect(line.rate.map { (1...2000).contains($0) } ?? true, "\(line)")
      let rest = PanelMeasures([stroke], of: .hold, on: surface).rest
      #expect(rest.map { (0...400).contains($0) } ?? true)
    }
  }
}

enum FolderListing {
  static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}
