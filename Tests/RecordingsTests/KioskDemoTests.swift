import Testing
import TouchModel

@testable import Recordings

/// The recording that `make demo` plays.
@Suite struct KioskDemoTests {
  private let recording: Recording

  init() throws {
    recording = try Recording.read(path: "\(packageRoot)/Recordings/kiosk-demo.evemu")
  }

  @Test func `The panel has ten slots and an aspect ratio of 16:10`() throws {
    let kind = try ContactProtocol(of: recording.description)
    #expect(kind.kind == .slots(10))
    let millimetres = [kind.x, kind.y].map { Double($0.maximum + 1) / Double($0.resolution) }
    #expect(millimetres == [204.8, 128])
  }

  @Test func `The demo has 69 touches of up to ten fingers, and all of them end`() {
    var down: Set<Int32> = []
    var slot: Int32 = 0
    var touches = 0
    var most = 0
    for event in recording.events where event.type == EventType.abs {
      if event.code == AbsCode.mtSlot { slot = event.value }
      guard event.code == AbsCode.mtTrackingID else { continue }
      if event.value < 0 { down.remove(slot) } else { down.insert(slot) }
      if event.value >= 0 { touches += 1 }
      most = max(most, down.count)
    }
    #expect(touches == 69)
    #expect(most == 10)
    #expect(down.isEmpty)
  }

  @Test func `The demo shows four screens and returns to the menu`() {
    let shown = recording.screens.map(\.screen)
    #expect(Set(shown) == ["menu", "catalogue", "product", "checkout"])
    #expect(shown.first == "menu" && shown.last == "menu")
    #expect(shown.count { $0 == "menu" } >= 3)
  }

  @Test func `The demo lasts about 90 s without long pauses`() {
    let times = recording.events.map(\.time)
    #expect(recording.screens.first?.time.microseconds == 1_000_000)
    #expect(times == times.sorted())
    let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect((pauses.max() ?? 0) < 20_000_000)
    #expect(80.0...100.0 ~= (times.last?.seconds ?? 0))
  }

  @Test func `Events are within their ranges and sent only on changes`() {
    var last: [UInt16: Int32] = [:]
    for event in recording.events where event.type == EventType.abs {
      let axis = recording.description.axes[event.code]
      #expect(event.value == -1 || (axis?.minimum ?? 0)...(axis?.maximum ?? 0) ~= event.value)
      if event.code == AbsCode.mtSlot || event.code < AbsCode.mtSlot {
        #expect(last[event.code, default: 0] != event.value)
        last[event.code] = event.value
      }
    }
  }

  @Test func `The script generates the same bytes`() throws {
    let folder = "\(packageRoot)/Recordings"
    let made = try output(of: "PYTHONDONTWRITEBYTECODE=1 python3 '\(folder)/make-kiosk-demo.py' -")
    let stored = try RecordingFile.contents(of: "\(folder)/kiosk-demo.evemu")
    #expect(made == stored)
    #expect(stored.count < 400_000)
  }
}
