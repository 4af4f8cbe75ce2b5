public import TouchModel

/// The recorded events of one device, and its description.
///
/// Recordings are stored in two formats: evemu's, and the YAML of `libinput record`. The format is
/// recognised by the content of the file, never by its name.
public struct Recording: Hashable, Sendable {
  public var description: DeviceDescription
  /// The values of axes at the start of the recording, by axis code; empty if the file has none.
  /// `ABS_MT_SLOT` is the slot of the first events, such as those of a finger that was already
  /// down.
  public var initialValues: [UInt16: Int32]
  /// udev's `LIBINPUT_CALIBRATION_MATRIX` of the device, unparsed; nil if it had none.
  /// `libinput record` writes it. Evemu files hold it as the comment `# touchgrid-calibration`.
  public var calibration: String?
  /// The events in the order of the file. Times are those of the recorder's clock. They may be
  /// times since 1970, and an event may have an earlier time than the previous one.
  public var events: [InputEvent]
  /// The screens that the app showed, in chronological order.
  public var screens: [ScreenCue]
  /// What the app responded to touches, in the order of the file.
  public var responses: [ResponseCue] = []

  public init(
    description: DeviceDescription, initialValues: [UInt16: Int32] = [:],
    calibration: String? = nil, events: [InputEvent] = [], screens: [ScreenCue] = []
  ) {
    self.description = description
    self.initialValues = initialValues
    self.calibration = calibration
    self.events = events
    self.screens = screens
  }
}

/// A change of screen: the app showed `screen` from `time` on. Files hold it as the comment
/// `# touchgrid-screen SECONDS NAME`.
public struct ScreenCue: Hashable, Sendable {
  /// The time on the recording's clock.
  public var time: Timestamp
  /// The screen's name: 1 to 128 bytes of printable UTF-8.
  public var screen: String

  public init(time: Timestamp, screen: String) {
    self.time = time
    self.screen = screen
  }
}

/// A response of the app to the touch of a control. Files hold it as the comment
/// `# touchgrid-response SECONDS MS CONTROL`, with `-` if the screen did not change.
public struct ResponseCue: Hashable, Sendable {
  /// The longest observed response, in ms.
  public static let limit: Int64 = 2500

  /// The time of the touch-up on the recording's clock.
  public var ended: Timestamp
  /// The time until the screen changed; nil if it did not.
  public var milliseconds: Int64?
  public var control: String

  /// The time from the touch-up until the response is known, in µs.
  public var delay: Int64 { 1000 * (milliseconds ?? Self.limit) }

  public init(ended: Timestamp, milliseconds: Int64?, control: String) {
    (self.ended, self.milliseconds, self.control) = (ended, milliseconds, control)
  }
}

extension Recording {
  /// Reads the recording of one device.
  ///
  /// If an evemu file has no description of the device, the description is read from a `.prop`,
  /// `.desc` or `.device` file beside it. For `pad.tap.events`, these are tried in order:
  /// `pad.tap.prop`, `pad.tap.desc`, `pad.tap.device`, `pad.prop`, `pad.desc` and `pad.device`. A
  /// file with only a description is a recording without events.
  /// - Throws: `RecordingError`, also if the file holds several devices; `readAll(path:)` reads
  ///   these.
  public static func read(path: String) throws(RecordingError) -> Recording {
    let all = try readAll(path: path)
    guard let first = all.first, all.count == 1 else {
      throw RecordingError(path: path, problem: .severalDevices(all.count))
    }
    return first
  }

  /// Reads the recordings of all devices in a file, in the order of the file. `libinput record`
  /// writes several devices into one file, with times on one clock. Each recording has all screen
  /// cues of the file.
  public static func readAll(path: String) throws(RecordingError) -> [Recording] {
    let bytes = try RecordingFile.contents(of: path)
    return try parseAll(bytes, path: path) { () throws(RecordingError) in
      try RecordingFile.companionDescription(of: path)
    }
  }

  /// Parses the content of a file.
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - path: the file's name in errors.
  ///   - companion: called if the file has no description; returns that of a file beside it, or
  ///     throws if there is none.
  static func parseAll(
    _ bytes: [UInt8], path: String,
    companion: () throws(RecordingError) -> DeviceDescription
  ) throws(RecordingError) -> [Recording] {
    let (format, first) = try RecordingFormat.recognise(bytes, path: path)
    switch format {
    case .evemu:
      var reader = EvemuReader(path: path)
      try forEachLine(of: bytes, path: path) { (number, line) throws(RecordingError) in
        guard number >= first else { return true }
        if isInterrupt(line) { return false }
        try reader.read(line, number: number)
        return true
      }
      return [try reader.finish(companion: companion)]
    case .libinput:
      var reader = LibinputReader(path: path)
      try forEachLine(of: bytes, path: path) { (number, line) throws(RecordingError) in
        guard number >= first else { return true }
        if isInterrupt(line) { return false }
        try reader.read(line, number: number)
        return true
      }
      return try reader.finish()
    }
  }

  /// Whether the line is the terminal's echo of the Ctrl-C that ended the recording. Later text
  /// does not belong to the recording.
  private static func isInterrupt(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "^C".utf8)
  }
}
