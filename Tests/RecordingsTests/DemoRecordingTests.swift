import TestSupport
import Testing
import TouchModel

@testable import Recordings

/// The recording that `make demo` plays. `ReplayTests` counts its touches.
@Suite struct DemoRecordingTests {
  private let recording: Recording

  init() throws {
    recording = try Recording.read(path: Project.path("Recordings/kiosk-demo.evemu"))
  }

  @Test func `The panel has ten slots and an aspect ratio of 16:10`() throws {
    let kind = try ContactProtocol(of: recording.description)
    #expect(kind.kind == .slots(10))
    let millimetres = [kind.x, kind.y].map { Double($0.maximum + 1) / Double($0.resolution) }
    #expect(millimetres == [204.8, 128])
  }

  @Test func `In some 90 s without long pauses, four screens come, and the menu again`() {
    let shown = recording.screens.map(\.screen)
    #expect(Set(shown) == ["menu", "catalogue", "product", "checkout"])
    #expect(shown.first == "menu" && shown.last == "menu")
    let times = recording.events.map(\.time)
    #expect(times == times.sorted() && 80.0...100.0 ~= (times.last?.seconds ?? 0))
    #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 < 20_000_000 })
  }

  @Test func `The script generates the same bytes`() throws {
    let folder = Project.path("Recordings")
    let made = try run("PYTHONDONTWRITEBYTECODE=1 python3 '\(folder)/make-kiosk-demo.py' -").output
    let stored = try RecordingFile.contents(of: "\(folder)/kiosk-demo.evemu")
    #expect(Array(made.utf8) == stored)
    #expect(stored.count < 400_000)
  }
}
