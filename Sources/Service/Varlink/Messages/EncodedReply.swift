internal import Text

/// An encoded reply. It may be made on any thread, and sent to several clients.
public struct EncodedReply: Sendable {
  /// The message, including its NUL.
  let bytes: [UInt8]
  /// Whether more replies to the same call follow.
  public let continues: Bool

  /// Encodes a reply.
  /// - Parameter parameters: a value that is encoded as a JSON object. If it contains NaN or
  ///   infinity, the reply is the error `MethodNotImplemented` instead.
  public init(_ parameters: some Encodable, continues: Bool = false) {
    guard let object = JSON.encodedObject(parameters) else {
      self = EncodedReply(
        .methodNotImplemented("the reply is not representable in JSON (NaN or infinite)"))
      return
    }
    // The Varlink specification (UAPI.20) wants "parameters" to be absent if there are none.
    let hasNone = object == JSON.emptyObject
    var bytes: [UInt8] = []
    bytes.reserveCapacity(object.count + 40)
    bytes += "{".utf8
    if !hasNone {
      bytes += #""parameters":"#.utf8
      bytes += object
    }
    if continues { bytes += hasNone ? #""continues":true"#.utf8 : #","continues":true"#.utf8 }
    bytes += "}\0".utf8
    self.bytes = bytes
    self.continues = continues
  }

  public init(_ error: VarlinkError) {
    var bytes = Array(#"{"error":"#.utf8)
    bytes += JSON.encodedString(error.name)
    if error.parameters != JSON.emptyObject {
      bytes += #","parameters":"#.utf8
      bytes += error.parameters
    }
    bytes += "}\0".utf8
    self.bytes = bytes
    continues = false
  }

  /// The length of the whole message, including its NUL.
  public var byteCount: Int { bytes.count }
}

extension EncodedReply {
  /// The same reply without "continues", for a client that accepts only one reply.
  var final: EncodedReply {
    guard continues else { return self }
    let marks = [#","continues":true}"#, #""continues":true}"#].map { Array($0.utf8) + [0] }
    guard let mark = marks.first(where: { bytes.suffix($0.count).elementsEqual($0) }) else {
      return self
    }
    return EncodedReply(
      bytes: bytes.dropLast(mark.count) + [UInt8(ascii: "}"), 0], continues: false)
  }

  private init(bytes: [UInt8], continues: Bool) {
    self.bytes = bytes
    self.continues = continues
  }
}
