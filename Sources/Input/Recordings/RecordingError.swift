import Glibc
import Text
import TouchModel

/// The reason why a recording cannot be read. `description` names the file, the line, the error and
/// the expected form.
public struct RecordingError: Error, Hashable, Sendable {
  public enum Problem: Hashable, Sendable {
    case cannotOpen(errno: Int32)
    case cannotRead(errno: Int32)
    /// The path names something other than a regular file, such as a folder, a device or a pipe.
    case notAFile
    /// The file has more bytes than the limit.
    case tooLarge(limit: Int)
    case lineTooLong(limit: Int)
    case empty
    /// The file is in neither format. Holds its first line.
    case unknownFormat(found: String)
    /// A log of raw HID reports.
    case rawReports
    /// A line, or a part of one, is not in the expected form.
    case malformed(found: String, expected: String)
    /// An element that may occur only once is repeated.
    case repeated(String)
    /// An axis is announced without its range.
    case axisWithoutRange(code: UInt16, expected: String)
    case notInDevice(found: String)
    /// The file describes no device. Holds the lines that are missing.
    case noDevice(String)
    /// The description lacks a part.
    case missing(String)
    /// The file contains only events, and none of these files, which could describe the device,
    /// exists.
    case noDescription(lookedFor: [String])
    case severalDevices(Int)
    case cutOff(announced: Int, found: Int)
  }

  public var path: String
  /// The number of the line, counted from 1; nil if the error concerns the whole file.
  public var line: Int?
  public var problem: Problem
}

extension RecordingError: CustomStringConvertible {
  public var description: String {
    let name = path.printable(limit: 4096)
    let place = line.map { "\(name):\($0)" } ?? name
    return "\(place): \(problem)"
  }
}

extension RecordingError.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(let code): "cannot be opened: \(errorText(code))"
    case .cannotRead(let code): "cannot be read: \(errorText(code))"
    case .notAFile: "is not a regular file; name a file that holds a recording"
    case .tooLarge(let limit): "is larger than \(limit) bytes (the limit)"
    case .lineTooLong(let limit): "the line is longer than \(limit) bytes (the limit)"
    case .empty: "the file is empty; name a recording made with evemu-record or libinput record"
    case .unknownFormat(let found):
      "is not a recording of evemu-record or libinput record: it begins with '\(found)'"
    case .rawReports:
      "contains raw HID reports; record the events of /dev/input/eventN instead, with libinput "
        + "record or evemu-record"
    case .malformed(let found, let expected): "'\(found)' should be \(expected)"
    case .repeated(let what): "\(what) is repeated; it must occur once"
    case .axisWithoutRange(let code, let expected):
      "axis \(code) has no range: \(expected) is missing"
    case .notInDevice(let found): "'\(found)' is before the first '- node:' of 'devices:'"
    case .noDevice(let missing): "describes no device: \(missing) is missing"
    case .missing(let what): "the description of the device lacks \(what)"
    case .noDescription(let files):
      "contains events without a description of their device"
        + (files.isEmpty
          ? "; name the file NAME.event, and put the description beside it, as NAME.prop"
          : ", and none of the files that could hold one exists: "
            + files.map { $0.printable(limit: 4096) }.joined(separator: ", "))
    case .severalDevices(let count):
      "contains recordings of \(count) devices; name a recording of only one"
    case .cutOff(let announced, let found):
      "announces \(announced) devices but contains \(found): the recording was cut off; to read "
        + "what is there, change 'ndevices: \(announced)' to 'ndevices: \(found)'"
    }
  }
}
