import TouchModel

/// Reads the comments of both formats: screen and response cues, the calibration of the device, and
/// the values of axes at the start of the recording.
///
///     # touchgrid-screen 12.345678 checkout/pay
///     # touchgrid-response 13.5 120 pay
///     # touchgrid-calibration 0 -1 1 1 0 0
///
///     # Event type 3 (EV_ABS)
///     #   Event code 47 (ABS_MT_SLOT)
///     #     Value 3
struct CommentReader {
  private(set) var screens: [ScreenCue] = []
  private(set) var responses: [ResponseCue] = []
  private var calibration: String?
  private var values: [UInt16: Int32] = [:]
  private var type: UInt16?
  private var code: UInt16?

  /// - Parameter line: the line from its `#` on.
  mutating func read(
    _ line: ArraySlice<UInt8>, path: String, number: Int
  ) throws(RecordingError) {
    var scanner = LineScanner(line)
    guard scanner.skip("#") else { return }
    scanner.skipSpaces()
    if scanner.skip("touchgrid-screen") {
      guard let cue = Self.cue(scanner) else {
        let expected =
          "'# touchgrid-screen SECONDS NAME': SECONDS has at most six decimals, NAME at most 128 "
          + "bytes of printable UTF-8"
        throw RecordingError(
          path: path, line: number,
          problem: .malformed(found: excerpt(line), expected: expected))
      }
      screens.append(cue)
    } else if scanner.skip("touchgrid-response") {
      guard let cue = Self.response(scanner) else {
        let expected =
          "'# touchgrid-response SECONDS MS CONTROL': SECONDS has at most six decimals, MS is 0 to "
          + "\(ResponseCue.limit) or -, CONTROL at most 128 bytes of printable UTF-8"
        throw RecordingError(
          path: path, line: number,
          problem: .malformed(found: excerpt(line), expected: expected))
      }
      responses.append(cue)
    } else if scanner.skip("touchgrid-calibration") {
      guard let matrix = CalibrationMatrix(String(decoding: scanner.rest, as: UTF8.self)) else {
        throw RecordingError(
          path: path, line: number,
          problem: .malformed(
            found: excerpt(line), expected: "'# touchgrid-calibration' and six numbers"))
      }
      calibration = matrix.text
    } else if scanner.skip("Event type ") {
      type = scanner.integer()
      code = nil
    } else if scanner.skip("Event code ") {
      code = scanner.integer()
    } else if scanner.skip("Value "), type == EventType.abs, let code,
      let value = scanner.integer(Int32.self)
    {
      values[code] = value
    }
  }

  /// Returns the values read since the last call, and forgets them. They belong to one device.
  mutating func takeValues() -> [UInt16: Int32] {
    defer { (values, type, code) = ([:], nil, nil) }
    return values
  }

  /// Returns the calibration read since the last call, and forgets it, as `takeValues` does.
  mutating func takeCalibration() -> String? {
    defer { calibration = nil }
    return calibration
  }

  /// The cues, sorted by time.
  var sortedScreens: [ScreenCue] { screens.sorted { $0.time < $1.time } }

  private static func cue(_ scanner: LineScanner) -> ScreenCue? {
    var scanner = scanner
    guard scanner.skipGap(), let time = scanner.seconds() else { return nil }
    return scanner.name().map { ScreenCue(time: time, screen: $0) }
  }

  private static func response(_ scanner: LineScanner) -> ResponseCue? {
    var scanner = scanner
    guard scanner.skipGap(), let ended = scanner.seconds(), scanner.skipGap() else { return nil }
    let time = scanner.skip("-") ? nil : scanner.integer(Int64.self)
    let cue = scanner.name().map { ResponseCue(ended: ended, milliseconds: time, control: $0) }
    return (0...ResponseCue.limit).contains(time ?? 0) ? cue : nil
  }
}

extension LineScanner {
  /// - Returns: whether there was a space.
  fileprivate mutating func skipGap() -> Bool {
    let before = rest.count
    skipSpaces()
    return rest.count < before
  }

  /// Reads a space and the name that fills the rest of the line.
  fileprivate mutating func name() -> String? {
    guard skipGap() else { return nil }
    var name = rest
    while name.last == UInt8(ascii: " ") || name.last == UInt8(ascii: "\t") { name.removeLast() }
    return screenName(name)
  }

  /// Reads seconds with at most six decimals and an optional minus sign.
  /// - Returns: nil if there is no such number, or if its µs exceed 64 bits.
  fileprivate mutating func seconds() -> Timestamp? {
    let isNegative = skip("-")
    guard let whole = integer(UInt64.self) else { return nil }
    var fraction: UInt64 = 0
    if skip(".") {
      let before = rest.count
      guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
        let digits = integer(UInt64.self, digits: 6)
      else { return nil }
      fraction = (before - rest.count..<6).reduce(digits) { value, _ in value * 10 }
    }
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflow2) = scaled.addingReportingOverflow(fraction)
    guard !overflow, !overflow2, let microseconds = Int64(exactly: sum) else { return nil }
    return Timestamp(microseconds: isNegative ? -microseconds : microseconds)
  }
}
