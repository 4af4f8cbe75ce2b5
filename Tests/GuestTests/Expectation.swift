import Foundation
import TouchModel

/// The expected touches of a recording of a real panel. Two independent decoders agree on them: one
/// reads the raw HID reports, the other the events.
struct Expectation: Decodable {
  struct Touch: Decodable {
    let slot: Int
    let tid: Int32
    /// The first position, in raw units. A coordinate that the device never reported for the slot
    /// is nil and counts as 0.
    let x0: Int32?
    let y0: Int32?
  }

  let device: String
  /// The paths of the recordings of events and of HID reports, in the folder of recordings.
  let eventFile: String
  let reportFile: String?
  let touches: [Touch]

  private enum CodingKeys: String, CodingKey {
    case device
    case eventFile = "evdev_file"
    case reportFile = "hid_file"
    case touches = "evdev_touches"
  }

  static func all(in corpus: String) throws -> [Expectation] {
    let folder = URL(filePath: corpus).appending(path: "ground_truth")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.allObjects as? [URL] ?? [])
      .filter { $0.pathExtension == "json" }
      .sorted { $0.path < $1.path }
      .map { try JSONDecoder().decode(Expectation.self, from: Data(contentsOf: $0)) }
  }

  /// Returns how many times a touch-up and a new touch-down of one slot are in the same frame.
  /// libinput keeps only the last state, and continues the old touch.
  static func relandings(in events: [InputEvent]) -> Int {
    var slot: Int32 = 0
    var isDown: [Int32: Bool] = [:]
    var liftedInFrame: Set<Int32> = []
    var count = 0
    for event in events {
      switch (event.type, event.code) {
      case (EventType.syn, SynCode.report): liftedInFrame = []
      case (EventType.abs, AbsCode.mtSlot): slot = event.value
      case (EventType.abs, AbsCode.mtTrackingID) where event.value < 0:
        if isDown[slot] == true { liftedInFrame.insert(slot) }
        isDown[slot] = false
      case (EventType.abs, AbsCode.mtTrackingID):
        if liftedInFrame.remove(slot) != nil { count += 1 }
        isDown[slot] = true
      default: break
      }
    }
    return count
  }
}
