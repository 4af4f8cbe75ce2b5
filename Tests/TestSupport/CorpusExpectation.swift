import Foundation
public import TouchModel

/// The expected touches of a recording of a real panel. Two independent decoders agree on them: one
/// reads the raw HID reports, the other the events.
public struct CorpusExpectation: Decodable, Sendable, CustomStringConvertible {
  public struct Touch: Decodable, Sendable {
    public let slot: Int
    public let tid: Int32
    /// The first and the last position, in raw units. A coordinate that the device never reported
    /// for the slot is nil and counts as 0.
    public let x0, y0, x1, y1: Int32?
    /// The number of frames at the end of which the touch was down.
    public let n: Int
  }

  public let device: String
  /// The paths of the recordings of events and of HID reports, in the folder of recordings.
  public let eventFile: String
  public let reportFile: String?
  public let touches: [Touch]
  public var description: String { device }

  private enum CodingKeys: String, CodingKey {
    case device
    case eventFile = "evdev_file"
    case reportFile = "hid_file"
    case touches = "evdev_touches"
  }

  public static func all(in corpus: String) throws -> [CorpusExpectation] {
    let folder = corpus + "/ground_truth/"
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".json") }
      .sorted()
      .map {
        try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: folder + $0)))
      }
  }

  /// Returns the number of frames in which a slot has both a touch-up and a new touch-down.
  /// libinput keeps only the last state, and continues the old touch.
  public static func relandings(in events: [InputEvent]) -> Int {
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
