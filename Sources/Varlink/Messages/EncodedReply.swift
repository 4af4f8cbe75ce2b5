/// A reply as it goes over the wire. It may be made on any thread, and sent to many.
public struct EncodedReply: Sendable {
  /// The message, its NUL included.
  let bytes: [UInt8]
  /// Whether more replies to the same call follow.
  public let continues: Bool

  /// - Parameter parameters: encodes as an object, without NaN or infinity. What does not is answered with
  ///   `MethodNotImplemented`, as the client can do nothing about it.
  public init(_ parameters: some Encodable, continues: Bool = false) {
    guard let object = JSON.encodedObject(parameters) else {
      self = EncodedReply(.methodNotImplemented("a reply that JSON cannot say"))
      return
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(object.count + 40)
    bytes += #"{"parameters":"#.utf8
    bytes += object
    if continues { bytes += #","continues":true"#.utf8 }
    bytes += "}\0".utf8
    self.bytes = bytes
    self.continues = continues
  }

  public init(_ error: VarlinkError) {
    var bytes = Array(#"{"error":"#.utf8)
    bytes += JSON.encodedString(error.name)
    bytes += #","parameters":"#.utf8
    bytes += error.parameters
    bytes += "}\0".utf8
    self.bytes = bytes
    continues = false
  }

  /// Of the whole message.
  public var byteCount: Int { bytes.count }
}
