import TouchModel

/// A golden text: the events of a device, a blank line, and the touches that result.
///
/// The first line describes the device: `slots 10` or `single`. Each further line has the events of
/// a frame or of a part of one: the kernel's names of the events, each followed by its value (0 if
/// omitted). Anything else that happens has a line of its own:
///
///     OPENED slot 1: 0=45@300,400 1=46@500,600     the kernel's state at opening
///     SNAPSHOT slot 0: 0=45@300,400                after SYN_DROPPED; other slots are empty
///     GONE                                         the device is unplugged
///
/// Touches are written `FRAME #TOUCH PHASE slot S [id N] at X,Y`. Frames are numbered from 1; each
/// `SYN_REPORT`, `SYN_DROPPED`, `OPENED`, `SNAPSHOT` and `GONE` ends one. Lines with `//` are
/// comments.
struct GoldenFile {
  var input: [String] = []
  var expected: [String] = []

  init(_ text: String) {
    var isExpected = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("//") { continue }
      if line.isEmpty {
        isExpected = !input.isEmpty
      } else if isExpected {
        expected.append(String(line))
      } else {
        input.append(String(line))
      }
    }
  }

  /// Plays the events.
  /// - Returns: the touches as lines; nil if the input contains an unknown word.
  func play() -> [String]? {
    guard let device = input.first.map({ $0.split(separator: " ") }) else { return nil }
    let isSingle = device == ["single"]
    guard let slots = isSingle ? 1 : Int(device.last ?? "") else { return nil }
    var player = Player(
      decoder: TouchDecoder(slotCount: slots, isSingleTouch: isSingle), slotCount: slots)
    for line in input.dropFirst() { guard player.play(line) else { return nil } }
    return player.lines
  }
}

private struct Player {
  var decoder: TouchDecoder
  let slotCount: Int
  var mint = TouchIDGenerator()
  var frame = 1
  var lines: [String] = []
  var awaitsSnapshot = false

  static let codes: [String: (UInt16, UInt16)] = [
    "ABS_MT_SLOT": (3, 0x2f), "ABS_MT_TRACKING_ID": (3, 0x39), "ABS_MT_POSITION_X": (3, 0x35),
    "ABS_MT_POSITION_Y": (3, 0x36), "ABS_MT_TOOL_TYPE": (3, 0x37), "ABS_MT_DISTANCE": (3, 0x3b),
    "ABS_MT_PRESSURE": (3, 0x3a), "ABS_X": (3, 0), "ABS_Y": (3, 1), "BTN_TOUCH": (1, 0x14a),
    "BTN_TOOL_QUINTTAP": (1, 0x148), "MSC_TIMESTAMP": (4, 5),
    "SYN_REPORT": (0, 0), "SYN_DROPPED": (0, 3),
  ]

  mutating func play(_ line: String) -> Bool {
    var words = line.split(separator: " ").map(String.init)[...]
    switch words.first {
    case "OPENED", "SNAPSHOT":
      guard let snapshot = Self.snapshot(Array(words), slotCount: slotCount) else { return false }
      guard awaitsSnapshot || words.first == "OPENED" else { return false }
      awaitsSnapshot = false
      take(decoder.adopt(snapshot, on: words.first == "OPENED" ? .opening : .drop, mint: &mint))
      return true
    case "GONE":
      take(decoder.cancelAll(.removed))
      return true
    default: break
    }
    while let word = words.popFirst() {
      guard let (type, code) = Self.codes[word] else { return false }
      let value = words.first.flatMap { Int32($0) }
      if value != nil { words.removeFirst() }
      switch decoder.process(
        InputEvent(time: .zero, type: type, code: code, value: value ?? 0), mint: &mint)
      {
      case .pending where word == "SYN_REPORT": frame += 1
      case .pending: break
      case .frame, .dropped: take(true)
      case .needsSnapshot: awaitsSnapshot = true
      }
    }
    return true
  }

  mutating func take(_ hasUpdates: Bool) {
    for update in hasUpdates ? decoder.updates : [] {
      let reason = update.cancellation.map { " (\($0.rawValue))" } ?? ""
      let id = update.trackingID.map { " id \($0)" } ?? ""
      lines.append(
        "\(frame) #\(update.touch) \(update.phase.rawValue)\(reason) slot \(update.slot)\(id)"
          + " at \(update.x),\(update.y)" + (update.preexisting ? " preexisting" : ""))
    }
    frame += 1
  }

  static func snapshot(_ words: [String], slotCount: Int) -> ContactSnapshot? {
    guard words.count >= 3, words[1] == "slot", let slot = Int(words[2].dropLast()) else {
      return nil
    }
    var snapshot = ContactSnapshot(
      currentSlot: slot, contacts: Array(repeating: Contact(), count: slotCount))
    for word in words.dropFirst(3) {
      let numbers = word.split { "=@,".contains($0) }.compactMap { Int32($0) }
      guard numbers.count == 4, snapshot.contacts.indices.contains(Int(numbers[0])) else {
        return nil
      }
      snapshot.contacts[Int(numbers[0])] = Contact(
        trackingID: numbers[1], x: numbers[2], y: numbers[3])
    }
    return snapshot
  }
}
