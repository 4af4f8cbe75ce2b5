import TouchModel

/// Reads the output of `libinput record` line by line. It supports this layout only, not YAML in
/// general. Other sections than evdev (`libinput:`, `system:`, `hid:`, `quirks:`, and all of
/// `udev:` except the calibration) and unknown keys are ignored, as libinput-record(1) demands.
///
///     version: 1
///     ndevices: 1
///     devices:
///     - node: /dev/input/event6
///       evdev:
///         name: "…"
///         id: [bus, vendor, product, version]
///         codes:
///           TYPE: [code, …]
///         absinfo:
///           AXIS: [minimum, maximum, fuzz, flat, resolution]
///         properties: [property, …]
///       udev:
///         properties:
///         - LIBINPUT_CALIBRATION_MATRIX=0 -1 1 1 0 0
///       events:
///       - evdev:
///         - [seconds, microseconds, type, code, value]
struct LibinputReader {
  private enum Section {
    /// Between `- node:` and `evdev:`, and in ignored sections.
    case other
    case evdev
    /// Inside a name that contains newlines.
    case name
    case codes
    case axes
    case udev
    case events
    /// Inside `- evdev:` of `events:`.
    case frame
  }

  private struct Device {
    var recording = Recording(description: DeviceDescription())
    var line: Int
    var name: [UInt8]?
    var hasIdentifiers = false
    var announcedAxes: Set<UInt16>?
  }

  private let path: String
  private var number = 0
  private var announcedDevices: Int?
  private var section = Section.other
  private var device: Device?
  private var recordings: [Recording] = []
  private var comments = CommentReader()

  init(path: String) { self.path = path }

  mutating func read(_ line: ArraySlice<UInt8>, number: Int) throws(RecordingError) {
    self.number = number
    var scanner = LineScanner(line)
    if section == .name { return try continueName(line) }
    // Only top-level keys have no indentation.
    let isTop = line.first.map { $0 != UInt8(ascii: " ") } ?? false
    scanner.skipSpaces()
    if scanner.rest.first == UInt8(ascii: "#") {
      try readComment(scanner.rest)
    } else if scanner.skip("- node:") {
      try beginDevice()
    } else if isTop && scanner.skip("version:") {
      guard scanner.integer(Int.self) == 1, scanner.isDone else {
        throw malformed(line, "'version: 1', the only version of this format that is known")
      }
    } else if isTop && scanner.skip("ndevices:") {
      guard let count = scanner.integer(Int.self), scanner.isDone else {
        throw malformed(line, "'ndevices: NUMBER'")
      }
      announcedDevices = count
    } else if !scanner.isAtEnd {
      try readInDevice(scanner, line)
    }
  }

  mutating func finish() throws(RecordingError) -> [Recording] {
    try endDevice()
    guard !recordings.isEmpty else {
      throw RecordingError(path: path, problem: .noDevice("'devices:' with '- node: …'"))
    }
    if let announcedDevices, announcedDevices > recordings.count {
      throw RecordingError(
        path: path, problem: .cutOff(announced: announcedDevices, found: recordings.count))
    }
    // The cues apply to every device.
    for index in recordings.indices {
      recordings[index].screens = comments.sortedScreens
      recordings[index].responses = comments.responses
    }
    return recordings
  }

  private mutating func readComment(_ comment: ArraySlice<UInt8>) throws(RecordingError) {
    // With `--autorestart`, libinput writes no newline after this comment, so the next device
    // begins on the same line.
    var scanner = LineScanner(comment)
    if scanner.skip("# Closing after "), scanner.integer(UInt32.self) != nil,
      scanner.skip("s inactivity- node:")
    {
      return try beginDevice()
    }
    try comments.read(comment, path: path, number: number)
  }

  private mutating func beginDevice() throws(RecordingError) {
    try endDevice()
    device = Device(line: number)
    section = .other
  }

  private mutating func endDevice() throws(RecordingError) {
    guard var device else { return }
    func missing(_ what: String) -> RecordingError {
      RecordingError(path: path, line: device.line, problem: .missing(what))
    }
    guard section != .name else { throw missing("the closing quote of the name") }
    guard let name = device.name else { throw missing("the name: 'name: \"…\"'") }
    guard device.hasIdentifiers else {
      throw missing("the identifiers: 'id: [bus, vendor, product, version]'")
    }
    guard let announced = device.announcedAxes else { throw missing("the codes: 'codes:'") }
    device.recording.description.name = String(decoding: name, as: UTF8.self)
    if let code = announced.subtracting(device.recording.description.axes.keys).min() {
      let expected = "'\(code): [minimum, maximum, fuzz, flat, resolution]' under 'absinfo:'"
      throw RecordingError(
        path: path, line: device.line,
        problem: .axisWithoutRange(code: code, expected: expected))
    }
    device.recording.calibration = comments.takeCalibration() ?? device.recording.calibration
    device.recording.initialValues = comments.takeValues()
      .filter { device.recording.description.axes[$0.key] != nil }
    recordings.append(device.recording)
    self.device = nil
  }

  private mutating func readInDevice(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) {
    var scanner = scanner
    guard device != nil else {
      if scanner.skip("evdev:") || scanner.skip("events:") {
        throw RecordingError(path: path, line: number, problem: .notInDevice(found: excerpt(line)))
      }
      return
    }
    switch section {
    case .frame where scanner.rest.first == UInt8(ascii: "-"):
      if scanner.skip("- evdev:") { return }
      if scanner.skip("- hid:") || scanner.skip("- libinput:") { return section = .events }
      try readEvent(scanner, line)
    case .frame, .events:
      section = scanner.skip("- evdev:") ? .frame : .events
    case .other, .name:
      if scanner.skip("evdev:") {
        section = .evdev
      } else if scanner.skip("udev:") {
        section = .udev
      } else if scanner.skip("events:") {
        section = .events
      }
    case .udev where scanner.rest.first == UInt8(ascii: "-"):
      if scanner.skip("- LIBINPUT_CALIBRATION_MATRIX=") {
        device?.recording.calibration = String(decoding: scanner.rest, as: UTF8.self)
      }
    case .udev:
      if scanner.skip("evdev:") {
        section = .evdev
      } else if scanner.skip("events:") {
        section = .events
      } else if scanner.skip("hid:") || scanner.skip("quirks:") || scanner.skip("libinput:") {
        section = .other
      }
    case .codes where scanner.startsWithDigit: try readCodes(scanner, line)
    case .axes where scanner.startsWithDigit: try readAxis(scanner, line)
    case .evdev, .codes, .axes: try readKey(scanner, line)
    }
  }

  private mutating func readKey(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) {
    var scanner = scanner
    if scanner.skip("name:") {
      readName(scanner)
    } else if scanner.skip("id:") {
      guard let id = scanner.list(of: UInt16.self), id.count == 4 else {
        throw malformed(line, "'id: [bus, vendor, product, version]' with numbers of 0...65535")
      }
      device?.recording.description.identifiers = DeviceIdentifiers(
        bus: id[0], vendor: id[1], product: id[2], version: id[3])
      device?.hasIdentifiers = true
    } else if scanner.skip("properties:") {
      guard let properties = scanner.list(of: UInt16.self) else {
        throw malformed(line, "'properties: [property, …]' with numbers of 0...65535")
      }
      device?.recording.description.properties = Set(properties)
    } else if scanner.skip("codes:") {
      device?.announcedAxes = []
      section = .codes
    } else if scanner.skip("absinfo:") {
      section = .axes
    } else if scanner.skip("events:") {
      section = .events
    } else if scanner.skip("udev:") {
      section = .udev
    } else if scanner.skip("hid:") || scanner.skip("quirks:") || scanner.skip("libinput:") {
      section = .other
    }
  }

  /// Reads the name. libinput writes it in quotes, but does not escape quotes and newlines within
  /// it.
  private mutating func readName(_ scanner: LineScanner) {
    var scanner = scanner
    scanner.skipSpaces()
    let isQuoted = scanner.skip("\"")
    var name = scanner.rest
    if isQuoted {
      if let end = name.lastIndex(of: UInt8(ascii: "\"")) {
        name = name[..<end]
      } else {
        section = .name
      }
    }
    device?.name = Array(name)
  }

  private mutating func continueName(_ line: ArraySlice<UInt8>) throws(RecordingError) {
    let end = line.lastIndex(of: UInt8(ascii: "\""))
    device?.name?.append(UInt8(ascii: "\n"))
    device?.name?.append(contentsOf: line[..<(end ?? line.endIndex)])
    if end != nil { section = .evdev }
    // Names in the kernel are far shorter, so the closing quote must be missing.
    if let count = device?.name?.count, count > 1024 {
      throw malformed(
        line, "the rest of the device's name, which must end with a quote within 1024 bytes")
    }
  }

  private mutating func readCodes(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) {
    var scanner = scanner
    guard let type = scanner.integer(UInt16.self), scanner.skip(":"),
      let codes = scanner.list(of: UInt16.self)
    else { throw malformed(line, "'TYPE: [code, …]' with numbers of 0...65535") }
    switch type {
    case EventType.syn: break
    case EventType.abs: device?.announcedAxes?.formUnion(codes)
    default: device?.recording.description.codes[type, default: []].formUnion(codes)
    }
  }

  private mutating func readAxis(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) {
    var scanner = scanner
    guard let code = scanner.integer(UInt16.self), scanner.skip(":"),
      let info = scanner.list(of: Int32.self), info.count == 5
    else {
      throw malformed(
        line,
        "'AXIS: [minimum, maximum, fuzz, flat, resolution]' with numbers of "
          + "-2147483648...2147483647")
    }
    device?.recording.description.axes[code] = AxisInfo(
      minimum: info[0], maximum: info[1], fuzz: info[2], flat: info[3], resolution: info[4])
  }

  private mutating func readEvent(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) {
    var scanner = scanner
    guard scanner.skip("-"), let event = scanner.libinputEvent() else {
      throw malformed(
        line,
        "'- [SECONDS, MICROSECONDS, TYPE, CODE, VALUE]', the microseconds 0...999999, type "
          + "and code 0...65535, the value -2147483648...2147483647")
    }
    device?.recording.events.append(event)
  }

  private func malformed(_ line: ArraySlice<UInt8>, _ expected: String) -> RecordingError {
    RecordingError(
      path: path, line: number, problem: .malformed(found: excerpt(line), expected: expected))
  }
}

extension LineScanner {
  fileprivate var startsWithDigit: Bool {
    rest.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
  }

  /// Reads a list such as `[1, 2, 3]`, which only blanks and a comment may follow.
  /// - Returns: nil if the line has another form, or if a number does not fit the type.
  fileprivate mutating func list<Value: FixedWidthInteger>(of type: Value.Type) -> [Value]? {
    var values: [Value] = []
    skipSpaces()
    guard skip("[") else { return nil }
    skipSpaces()
    if !skip("]") {
      repeat {
        guard let value = integer(type) else { return nil }
        values.append(value)
        skipSpaces()
      } while skip(",")
      guard skip("]") else { return nil }
    }
    return isDone ? values : nil
  }

  fileprivate mutating func libinputEvent() -> InputEvent? {
    skipSpaces()
    guard skip("["), let seconds = integer(UInt64.self), skipComma(),
      let micro = integer(UInt32.self), micro < 1_000_000, skipComma(),
      let type = integer(UInt16.self), skipComma(), let code = integer(UInt16.self), skipComma(),
      let value = integer(Int32.self)
    else { return nil }
    skipSpaces()
    guard skip("]"), isDone else { return nil }
    // An event from before the recording's start has a negative time. libinput writes it as an
    // unsigned 64-bit number of µs, split into seconds and microseconds.
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (time, overflow2) = scaled.addingReportingOverflow(UInt64(micro))
    guard !overflow, !overflow2 else { return nil }
    return InputEvent(
      time: Timestamp(microseconds: Int64(bitPattern: time)), type: type, code: code, value: value)
  }

  private mutating func skipComma() -> Bool {
    skipSpaces()
    return skip(",")
  }
}
