public import TouchModel

/// What one device sent while somebody recorded it, and what it had announced.
///
/// Two kinds of files hold recordings: evemu's, and the YAML of `libinput record`. Which one a file
/// is shows in its content, never in its name.
public struct Recording: Hashable, Sendable {
  public var description: DeviceDescription
  /// Values of axes when the recording began, by axis code, where the file tells. A finger that was
  /// already down then moves in the slot of `ABS_MT_SLOT` here.
  public var initialValues: [UInt16: Int32]
  /// In the order of the file. Times are as recorded: on a clock of the recorder's choice, perhaps
  /// since 1970, perhaps stepping back.
  public var events: [InputEvent]
  /// What the app showed, in order of time.
  public var screens: [ScreenCue]

  public init(
    description: DeviceDescription, initialValues: [UInt16: Int32] = [:],
    events: [InputEvent] = [], screens: [ScreenCue] = []
  ) {
    self.description = description
    self.initialValues = initialValues
    self.events = events
    self.screens = screens
  }
}

/// From `time` on the app showed `screen`: in a file the comment `# touchgrid-screen SECONDS NAME`.
public struct ScreenCue: Hashable, Sendable {
  /// On the recording's own clock.
  public var time: Timestamp
  /// At most 128 bytes of printable UTF-8, not empty.
  public var screen: String

  public init(time: Timestamp, screen: String) {
    self.time = time
    self.screen = screen
  }
}

extension Recording {
  /// Reads the recording of one device.
  ///
  /// An evemu file without a description of its own takes it from the `.prop`, `.desc` or `.device`
  /// file beside it: `pad.tap.events` from `pad.tap.prop`, else `pad.prop`, and so on. A description
  /// alone is a recording without events.
  /// - Throws: `RecordingError`; also where the file holds several devices, see `readAll(path:)`.
  public static func read(path: String) throws(RecordingError) -> Recording {
    let all = try readAll(path: path)
    guard let first = all.first, all.count == 1 else {
      throw RecordingError(path: path, problem: .severalDevices(all.count))
    }
    return first
  }

  /// Reads the recordings of all devices in a file, in its order: `libinput record` writes several
  /// devices into one file, with times on one clock. Each recording has all screen cues of the file.
  public static func readAll(path: String) throws(RecordingError) -> [Recording] {
    let bytes = try RecordingFile.contents(of: path)
    return try parseAll(bytes, path: path) { () throws(RecordingError) in
      try RecordingFile.companionDescription(of: path)
    }
  }

  /// Reads recordings out of memory.
  /// - Parameters:
  ///   - bytes: a whole file.
  ///   - path: its name in errors.
  ///   - companion: gives the description where the file holds events alone; throws where it has none.
  static func parseAll(
    _ bytes: [UInt8], path: String,
    companion: () throws(RecordingError) -> DeviceDescription
  ) throws(RecordingError) -> [Recording] {
    switch try RecordingFormat.recognise(bytes, path: path) {
    case .evemu:
      var reader = EvemuReader(path: path)
      try forEachLine(of: bytes, path: path) { (number, line) throws(RecordingError) in
        try reader.read(line, number: number)
      }
      return [try reader.finish(companion: companion)]
    case .libinput:
      var reader = LibinputReader(path: path)
      try forEachLine(of: bytes, path: path) { (number, line) throws(RecordingError) in
        try reader.read(line, number: number)
      }
      return try reader.finish()
    }
  }
}
