/// A message of D-Bus, with as much of its format as the accessibility bus needs. Every field of a
/// received message may be anything that another program wrote.
struct DBusMessage: Equatable {
  enum Kind: UInt8 { case call = 1, reply, error, signal }

  /// Thrown for bytes that are not a message, or a longer message than `sizeLimit`.
  struct Malformed: Error {}

  /// The argument of a call.
  enum Argument: Equatable {
    case text(String)
    case number(UInt32)
    case texts([String])

    var signature: String {
      switch self {
      case .text: "s"
      case .number: "u"
      case .texts: "as"
      }
    }
  }

  /// The maximum length of a received message, in bytes. The format allows 128 MiB.
  static let sizeLimit = 1 << 20

  var kind: Kind
  /// The serial number of the call that this message answers; nil if it answers none.
  var answers: UInt32?
  var path = ""
  var interface = ""
  var member = ""
  /// The unique name of the program that sent the message, as the bus says.
  var sender = ""
  /// The types of the body.
  var signature = ""
  var body: ArraySlice<UInt8> = []
  var isBigEndian = false

  /// A reader of the body, if the body has these types; nil if it has others.
  func reader(_ signature: String) -> DBusReader? {
    self.signature == signature ? DBusReader(body, isBigEndian: isBigEndian) : nil
  }

  /// Returns the bytes of a call.
  static func call(
    _ member: String, of interface: String, at path: String, on destination: String,
    _ arguments: [Argument] = [], serial: UInt32
  ) -> [UInt8] {
    var body = DBusWriter()
    for argument in arguments { body.write(argument) }
    var fields = DBusWriter()
    fields.field(1, "o", path)
    fields.field(2, "s", interface)
    fields.field(3, "s", member)
    fields.field(6, "s", destination)
    if !arguments.isEmpty { fields.field(8, signature: arguments.map(\.signature).joined()) }
    var message = DBusWriter()
    message.bytes = [UInt8(ascii: "l"), Kind.call.rawValue, 0, 1]
    message.write(UInt32(body.bytes.count))
    message.write(serial)
    message.write(UInt32(fields.bytes.count))
    message.bytes += fields.bytes
    message.align(8)
    return message.bytes + body.bytes
  }

  /// Takes the first message off received bytes.
  /// - Returns: nil if the bytes do not contain a whole message.
  static func takeFirst(_ bytes: inout ArraySlice<UInt8>) throws(Malformed) -> DBusMessage? {
    guard bytes.count >= 16, let order = bytes.first else { return nil }
    guard order == UInt8(ascii: "l") || order == UInt8(ascii: "B") else { throw Malformed() }
    var reader = DBusReader(bytes, isBigEndian: order == UInt8(ascii: "B"))
    _ = reader.byte()
    let kind = reader.byte().flatMap(Kind.init)
    _ = reader.byte()
    guard reader.byte() == 1, let bodySize = reader.number(), reader.number() != nil,
      let fieldSize = reader.number(), bodySize <= sizeLimit, fieldSize <= sizeLimit
    else { throw Malformed() }
    let head = (16 + Int(fieldSize) + 7) / 8 * 8
    let size = head + Int(bodySize)
    guard size <= sizeLimit else { throw Malformed() }
    guard bytes.count >= size else { return nil }
    let whole = bytes.prefix(size)
    bytes = bytes.dropFirst(size)
    // A receiver ignores messages of kinds that it does not know.
    var message = DBusMessage(
      kind: kind ?? .signal, body: whole.dropFirst(head), isBigEndian: reader.isBigEndian)
    guard kind != nil else { return message }
    while reader.offset < 16 + Int(fieldSize) {
      guard reader.align(8), let code = reader.byte(), let type = reader.signature() else {
        throw Malformed()
      }
      switch (code, type) {
      case (5, "u"):
        guard let serial = reader.number() else { throw Malformed() }
        message.answers = serial
      case (9, "u"): guard reader.number() != nil else { throw Malformed() }
      case (8, "g"):
        guard let signature = reader.signature() else { throw Malformed() }
        message.signature = signature
      case (_, "s"), (_, "o"):
        guard let text = reader.text() else { throw Malformed() }
        switch code {
        case 1: message.path = text
        case 2: message.interface = text
        case 3: message.member = text
        case 7: message.sender = text
        default: break
        }
      default: throw Malformed()
      }
    }
    return message
  }
}

/// Writes values in D-Bus's format, in little-endian order.
struct DBusWriter {
  var bytes: [UInt8] = []

  mutating func align(_ size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  mutating func write(_ number: UInt32) {
    align(4)
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func write(_ text: String) {
    write(UInt32(text.utf8.count))
    bytes += text.utf8
    bytes.append(0)
  }

  mutating func write(_ argument: DBusMessage.Argument) {
    switch argument {
    case .text(let text): write(text)
    case .number(let number): write(number)
    case .texts(let texts):
      write(0)
      let start = bytes.count
      for text in texts { write(text) }
      let size = UInt32(bytes.count - start)
      for index in 0..<4 {
        bytes[start - 4 + index] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(index)))
      }
    }
  }

  /// Writes a field of a message's header.
  mutating func field(_ code: UInt8, _ type: Character, _ text: String) {
    align(8)
    bytes += [code, 1] + Array("\(type)".utf8) + [0]
    write(text)
  }

  mutating func field(_ code: UInt8, signature: String) {
    align(8)
    bytes += [code, 1, UInt8(ascii: "g"), 0, UInt8(signature.utf8.count)]
    bytes += signature.utf8
    bytes.append(0)
  }
}

/// Reads values in D-Bus's format. Each method returns nil if the bytes end too early.
struct DBusReader {
  private let bytes: ArraySlice<UInt8>
  let isBigEndian: Bool
  /// The position of the next byte; values are aligned relative to 0.
  private(set) var offset = 0

  init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
  }

  mutating func align(_ size: Int) -> Bool {
    offset = (offset + size - 1) / size * size
    return offset <= bytes.count
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count - offset else { return nil }
    let start = bytes.startIndex + offset
    offset += count
    return bytes[start..<start + count]
  }

  mutating func byte() -> UInt8? { take(1)?.first }

  mutating func number() -> UInt32? {
    guard align(4), let four = take(4) else { return nil }
    return isBigEndian
      ? four.reduce(0) { $0 << 8 | UInt32($1) } : four.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func text() -> String? {
    guard let size = number(), size <= DBusMessage.sizeLimit, let text = take(Int(size)),
      byte() == 0
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  mutating func signature() -> String? {
    guard let size = byte(), let text = take(Int(size)), byte() == 0 else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads an array.
  /// - Parameters:
  ///   - alignment: That of the elements.
  ///   - limit: The maximum number of elements; nil is returned for more.
  mutating func array<Element>(
    alignment: Int, limit: Int, _ element: (inout DBusReader) -> Element?
  ) -> [Element]? {
    guard let size = number(), align(alignment), Int(size) <= bytes.count - offset else {
      return nil
    }
    let end = offset + Int(size)
    var elements: [Element] = []
    while offset < end {
      guard elements.count < limit, let next = element(&self) else { return nil }
      elements.append(next)
    }
    return offset == end ? elements : nil
  }
}
