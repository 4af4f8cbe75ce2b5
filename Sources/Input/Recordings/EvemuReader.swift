import TouchModel

/// Reads evemu's files, of all versions (1.0 to 1.3), line by line.
///
///     N: name                            B: type and 8 bytes of its codes' mask, hexadecimal
///     I: bus vendor product version      A: axis minimum maximum fuzz flat resolution
///     P: 8 bytes of the properties       E: seconds.microseconds type code value
///
/// Files written by hand, such as those for Android's `uinput`, may have fewer bytes in the last line
/// of a mask, and fewer decimals in a time.
///
/// `L:` and `S:`, the states of LEDs and switches, are ignored: they do not concern touches.
struct EvemuReader {
  private let path: String
  private var number = 0
  private var device = DeviceDescription()
  private var hasName = false
  private var hasIdentifiers = false
  private var propertyBytes = 0
  /// The number of mask bytes read so far, by event type.
  private var maskBytes: [UInt8: Int] = [:]
  private var announcedAxes: Set<UInt16> = []
  private var comments = CommentReader()
  private var events: [InputEvent] = []

  /// The number of codes of the event type that has the most (`KEY_CNT`).
  private static let codeLimit = 0x300

  init(path: String) { self.path = path }

  mutating func read(_ line: ArraySlice<UInt8>, number: Int) throws(RecordingError) {
    self.number = number
    var scanner = LineScanner(line)
    scanner.skipSpaces()
    if scanner.skip("E:") {
      events.append(try event(scanner, line))
    } else if scanner.rest.first == UInt8(ascii: "#") {
      try comments.read(scanner.rest, path: path, number: number)
    } else if scanner.skip("B:") {
      try readMask(scanner, line)
    } else if scanner.skip("A:") {
      try readAxis(scanner, line)
    } else if scanner.skip("P:") {
      try readProperties(scanner, line)
    } else if scanner.skip("N:") {
      try readName(scanner)
    } else if scanner.skip("I:") {
      try readIdentifiers(scanner, line)
    } else if scanner.skip("L:") || scanner.skip("S:") || scanner.isAtEnd {
      return
    } else {
      throw malformed(line, "a line that begins with N:, I:, P:, B:, A:, L:, S:, E: or #")
    }
  }

  /// Returns the recording. Call it after the last line.
  /// - Parameter companion: called if the file has no description; returns the one in a file beside
  ///   it.
  /// - Throws: an error if the description is incomplete, and the errors of `companion`.
  mutating func finish(
    companion: () throws(RecordingError) -> DeviceDescription
  ) throws(RecordingError) -> Recording {
    var recording = Recording(description: device)
    recording.events = events
    (recording.screens, recording.responses) = (comments.sortedScreens, comments.responses)
    if !hasName && !hasIdentifiers && maskBytes.isEmpty && device.axes.isEmpty {
      recording.description = try companion()
      return recording
    }
    guard hasName else { throw RecordingError(path: path, problem: .missing("the name: 'N: …'")) }
    guard hasIdentifiers else {
      throw RecordingError(
        path: path, problem: .missing("the identifiers: 'I: BUS VENDOR PRODUCT VERSION'"))
    }
    if let code = announcedAxes.subtracting(device.axes.keys).min() {
      let expected = "'A: \(hex(code, 2)) MINIMUM MAXIMUM FUZZ FLAT RESOLUTION'"
      throw RecordingError(
        path: path, problem: .axisWithoutRange(code: code, expected: expected))
    }
    // Like evemu, ignore the range of an axis that the mask does not announce.
    if !maskBytes.isEmpty {
      recording.description.axes = device.axes.filter { announcedAxes.contains($0.key) }
    }
    recording.calibration = comments.takeCalibration()
    recording.initialValues = comments.takeValues()
      .filter { recording.description.axes[$0.key] != nil }
    return recording
  }

  private func malformed(_ line: ArraySlice<UInt8>, _ expected: String) -> RecordingError {
    RecordingError(
      path: path, line: number, problem: .malformed(found: excerpt(line), expected: expected))
  }

  private mutating func readName(_ scanner: LineScanner) throws(RecordingError) {
    guard !hasName else {
      throw RecordingError(path: path, line: number, problem: .repeated("'N:'"))
    }
    var scanner = scanner
    // evemu writes one blank before the name; further blanks are part of the name.
    if !scanner.skip(" ") { _ = scanner.skip("\t") }
    device.name = String(decoding: scanner.rest, as: UTF8.self)
    hasName = true
  }

  private mutating func readIdentifiers(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) {
    var scanner = scanner
    guard !hasIdentifiers else {
      throw RecordingError(path: path, line: number, problem: .repeated("'I:'"))
    }
    guard let bus = scanner.hex16(), let vendor = scanner.hex16(), let product = scanner.hex16(),
      let version = scanner.hex16(), scanner.isDone
    else {
      throw malformed(
        line, "'I: BUS VENDOR PRODUCT VERSION' with numbers of up to four hexadecimal digits")
    }
    device.identifiers = DeviceIdentifiers(
      bus: bus, vendor: vendor, product: product, version: version)
    hasIdentifiers = true
  }

  private mutating func readProperties(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) {
    var scanner = scanner
    guard let (codes, end) = scanner.mask(from: propertyBytes, limit: Self.codeLimit),
      scanner.isDone
    else {
      throw malformed(
        line,
        "'P:' and eight bytes of two hexadecimal digits (the last line may have fewer), at most "
          + "\(Self.codeLimit / 8) bytes in all")
    }
    device.properties.formUnion(codes)
    propertyBytes = end
  }

  private mutating func readMask(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) {
    var scanner = scanner
    let type = scanner.hex8()
    let before = type.flatMap { maskBytes[$0] } ?? 0
    guard let type, type < 0x20,
      let (codes, end) = scanner.mask(from: before, limit: Self.codeLimit), scanner.isDone
    else {
      throw malformed(
        line,
        "'B: TYPE' and eight bytes (the last line of a type may have fewer), all of two "
          + "hexadecimal digits, TYPE at most 1f, at most \(Self.codeLimit / 8) bytes per type")
    }
    maskBytes[type] = end
    switch UInt16(type) {
    // The mask of the event types. A type may be announced without any code.
    case EventType.syn:
      for type in codes where type < 0x20 && type != EventType.syn && type != EventType.abs {
        device.codes[type, default: []].formUnion([])
      }
    case EventType.abs: announcedAxes.formUnion(codes)
    case let type: if !codes.isEmpty { device.codes[type, default: []].formUnion(codes) }
    }
  }

  private mutating func readAxis(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) {
    var scanner = scanner
    guard let code = scanner.hex8(), let minimum = scanner.integer(Int32.self),
      let maximum = scanner.integer(Int32.self), let fuzz = scanner.integer(Int32.self)
    else { throw malformed(line, Self.axisLine) }
    // Very old files have no resolution, and files written by hand may have no flat value.
    let flat = scanner.integer(Int32.self) ?? 0
    let resolution = scanner.integer(Int32.self) ?? 0
    guard scanner.isDone else { throw malformed(line, Self.axisLine) }
    guard device.axes[UInt16(code)] == nil else {
      throw RecordingError(
        path: path, line: number, problem: .repeated("'A: \(hex(UInt16(code), 2))'"))
    }
    device.axes[UInt16(code)] = AxisInfo(
      minimum: minimum, maximum: maximum, fuzz: fuzz, flat: flat, resolution: resolution)
  }

  private static let axisLine =
    "'A: AXIS MINIMUM MAXIMUM FUZZ [FLAT [RESOLUTION]]', AXIS of up to two hexadecimal digits, "
    + "the others from -2147483648 to 2147483647"

  private func event(
    _ scanner: LineScanner, _ line: ArraySlice<UInt8>
  ) throws(RecordingError) -> InputEvent {
    var scanner = scanner
    guard let time = scanner.evemuTime(), let type = scanner.hex16(), let code = scanner.hex16(),
      let value = scanner.integer(Int32.self), scanner.isDone
    else {
      throw malformed(
        line,
        "'E: SECONDS.MICROSECONDS TYPE CODE VALUE': one to six digits after the point, TYPE and CODE of "
          + "up to four hexadecimal digits, VALUE from -2147483648 to 2147483647")
    }
    return InputEvent(time: time, type: type, code: code, value: value)
  }
}

extension LineScanner {
  /// Reads one to eight bytes of a bit mask. The first byte stands for the codes from `8 * offset`
  /// on.
  /// - Returns: the codes whose bits are set, and the offset after the last byte; nil if there is no
  ///   byte, if the previous line had fewer than eight, or if the line extends to codes of `limit`
  ///   or more.
  fileprivate mutating func mask(
    from offset: Int, limit: Int
  ) -> (codes: [UInt16], end: Int)? {
    var codes: [UInt16] = []
    var byte = offset
    guard offset % 8 == 0, (offset + 8) * 8 <= limit else { return nil }
    while byte < offset + 8, let bits = hex8() {
      for bit in 0..<8 where bits >> bit & 1 == 1 { codes.append(UInt16(byte * 8 + bit)) }
      byte += 1
    }
    return byte > offset ? (codes, byte) : nil
  }

  /// Reads the time of an event. evemu writes it with `%lu.%06u`, which turns negative seconds and
  /// negative microseconds into huge numbers.
  /// - Returns: nil if there is no such time, or if its µs exceed 64 bits.
  fileprivate mutating func evemuTime() -> Timestamp? {
    guard let seconds = integer(UInt64.self), skip(".") else { return nil }
    var micro: Int64
    let before = rest.count
    if rest.first.map({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) == true,
      let digits = integer(UInt32.self, digits: 6)
    {
      micro = Int64(digits)
      for _ in before - rest.count..<6 { micro *= 10 }
    } else if let wrapped = fixedDigits(10), -999_999..<0 ~= Int32(bitPattern: wrapped) {
      micro = Int64(Int32(bitPattern: wrapped))
    } else {
      return nil
    }
    let (scaled, overflow) = Int64(bitPattern: seconds).multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflow2) = scaled.addingReportingOverflow(micro)
    return overflow || overflow2 ? nil : Timestamp(microseconds: sum)
  }
}
