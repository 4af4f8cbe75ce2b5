import TestSupport
import Testing

@testable import Recordings

/// The recording that `make demo` plays. `ReplayTests` counts its touches.
@Suite struct DemoRecordingTests {
  @Test func `The script generates the same bytes`() throws {
    let folder = Project.path("Recordings")
    let made = try run("PYTHONDONTWRITEBYTECODE=1 python3 '\(folder)/make-kiosk-demo.py' -").output
    let stored = try RecordingFile.contents(of: "\(folder)/kiosk-demo.evemu")
    #expect(Array(made.utf8) == stored)
    #expect(stored.count < 400_000)
  }
}
