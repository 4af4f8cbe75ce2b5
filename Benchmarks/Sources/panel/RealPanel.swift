import Foundation
import Recordings
import TouchInput
import TouchModel

/// One report of a contact, at a time in µs and a raw position.
struct Report: Sendable {
  var time: Int64
  var x: Double
  var y: Double
}

typealias Path = [Report]

/// A touchscreen of which there is a recording, and the contacts in it.
struct RealPanel: Sendable {
  let name: String
  let x: AxisInfo
  let y: AxisInfo
  /// The contacts, each from its touch-down to its last report.
  let contacts: [Path]
  /// Raw units per mm; assumed to be those of a panel of 344 x 194 mm if the driver does not know.
  let perMillimetre: (x: Double, y: Double)

  var width: Double { length(x) / perMillimetre.x }
  var height: Double { length(y) / perMillimetre.y }

  private func length(_ axis: AxisInfo) -> Double {
    Double(axis.maximum) - Double(axis.minimum) + 1
  }

  /// Reads a recording.
  /// - Returns: nil if it is not of a touchscreen, or has too few long contacts to make up others
  ///   from them.
  init?(path: String) throws {
    guard let recording = try? Recording.read(path: path) else { return nil }
    guard var decoder = try? DeviceDecoder(recording.description) else { return nil }
    var mint = TouchIDGenerator()
    var paths: [TouchID: Path] = [:]
    for event in recording.events {
      guard decoder.process(event, mint: &mint).isFrame else { continue }
      for update in decoder.updates where update.phase == .began || update.phase == .moved {
        paths[update.touch, default: []].append(
          Report(time: event.time.microseconds, x: Double(update.x), y: Double(update.y)))
      }
    }
    name = (path as NSString).lastPathComponent
    (x, y) = (decoder.contactProtocol.x, decoder.contactProtocol.y)
    let isKnown = x.resolution > 0 && y.resolution > 0
    perMillimetre =
      isKnown
      ? (Double(x.resolution), Double(y.resolution))
      : (
        (Double(x.maximum) - Double(x.minimum) + 1) / 344,
        (Double(y.maximum) - Double(y.minimum) + 1) / 194
      )
    contacts = paths.sorted { $0.key < $1.key }.map(\.value).filter { path in
      path.count >= 30 && path[path.count - 1].time - path[0].time >= 300_000
    }
    guard contacts.count >= 2, (60...1500).contains(width), (60...1500).contains(height) else {
      return nil
    }
  }

  /// The zone of jitter of a report.
  func zone(of report: Report) -> Int {
    func place(_ value: Double, _ axis: AxisInfo, _ zones: Int) -> Int {
      min(
        zones - 1, max(0, Int((value - Double(axis.minimum)) * Double(zones) / length(axis))))
    }
    return place(report.y, y, PanelCounts.zoneRows) * PanelCounts.zoneColumns
      + place(report.x, x, PanelCounts.zoneColumns)
  }

  /// Reads all recordings of a folder that can be used, in the order of their names.
  static func all(in folder: String) throws -> [RealPanel] {
    let files = FileManager.default.enumerator(atPath: folder)
    var paths: [String] = []
    while let name = files?.nextObject() as? String {
      let isRecording = [".ev", ".events", ".event"].contains { name.hasSuffix($0) }
      if isRecording, !name.contains("_negatives") { paths.append("\(folder)/\(name)") }
    }
    return try paths.sorted().compactMap { try RealPanel(path: $0) }
  }

  /// A part of a recorded contact that lasts about as long as it should, from where it starts.
  func part(lasting microseconds: Int64, _ dice: inout Dice) -> Path {
    let path = contacts[dice.below(contacts.count)]
    let first = path[0].time
    let length = path[path.count - 1].time - first
    let start = first + Int64(dice.between(0, Double(max(1, length - microseconds))))
    var part = path.filter { $0.time >= start && $0.time <= start + microseconds }
    if part.isEmpty { part = [Report(time: start, x: path[0].x, y: path[0].y)] }
    // A contact that rests is not reported again, but lasts.
    let last = part[part.count - 1]
    return part + [Report(time: part[0].time + microseconds, x: last.x, y: last.y)]
  }

  /// Moves a path so that it begins at a time, and at a position in mm. It may be mirrored.
  func placed(
    _ path: Path, at time: Int64, _ x: Double, _ y: Double, mirror: (x: Double, y: Double)
  ) -> Path {
    guard let first = path.first else { return [] }
    let left = Double(self.x.minimum) + x * perMillimetre.x
    let top = Double(self.y.minimum) + y * perMillimetre.y
    return path.map {
      Report(
        time: time + $0.time - first.time, x: left + mirror.x * ($0.x - first.x),
        y: top + mirror.y * ($0.y - first.y))
    }
  }
}
