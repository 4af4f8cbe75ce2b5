internal import Text

/// The members of a call that are decoded before its parameters are checked (Varlink specification,
/// UAPI.20, "Call").
struct CallEnvelope {
  static let members = ["method", "parameters", "more", "oneway", "upgrade"]

  let method: String
  let wantsMore: Bool
  let isOneway: Bool
  let wantsUpgrade: Bool
  /// The whole message. Nested values have not been checked yet.
  fileprivate let bytes: ArraySlice<UInt8>

  /// - Parameter bytes: the message without the NUL.
  init(_ bytes: ArraySlice<UInt8>) throws(MalformedMessage) {
    self.bytes = bytes
    let members = try Members(bytes, known: Self.members, checksNested: false)
    guard let method = try members.text("method") else {
      throw MalformedMessage("it has no member \"method\"")
    }
    self.method = method
    _ = try members.object("parameters")
    wantsMore = try members.flag("more")
    isOneway = try members.flag("oneway")
    wantsUpgrade = try members.flag("upgrade")
    guard [wantsMore, isOneway, wantsUpgrade].count(where: { $0 }) <= 1 else {
      throw MalformedMessage(
        "at most one of \"more\", \"oneway\" and \"upgrade\" may be true")
    }
  }

  /// The length of the message, in bytes.
  var byteCount: Int { bytes.count }

  /// The name of the interface: the part of the method's name before the last dot; the whole name
  /// without a dot.
  var interface: String {
    String(method.utf8.lastIndex(of: UInt8(ascii: ".")).map { method[..<$0] } ?? method[...])
  }
}

/// A call whose whole message has been checked.
struct CallMessage {
  let envelope: CallEnvelope
  let parameters: EncodedParameters

  init(_ envelope: CallEnvelope) throws(MalformedMessage) {
    self.envelope = envelope
    let members = try Members(envelope.bytes, known: CallEnvelope.members)
    parameters =
      try members.object("parameters").map { EncodedParameters($0) }
      ?? EncodedParameters()
  }

  /// Encodes a call.
  /// - Parameter parameters: one JSON object.
  static func encode(method: String, parameters: [UInt8], more: Bool) -> [UInt8] {
    var bytes = Array(#"{"method":"#.utf8)
    bytes += JSON.encodedString(method)
    if parameters != JSON.emptyObject {
      bytes += #","parameters":"#.utf8
      bytes += parameters
    }
    if more { bytes += #","more":true"#.utf8 }
    bytes += "}\0".utf8
    return bytes
  }
}

/// A received reply (Varlink specification, UAPI.20, "Reply").
struct ReplyMessage {
  /// The parameters: one JSON object.
  let parameters: ArraySlice<UInt8>
  let error: String?
  let continues: Bool

  /// - Parameter bytes: the message without the NUL.
  init(_ bytes: ArraySlice<UInt8>) throws(MalformedMessage) {
    let members = try Members(bytes, known: ["parameters", "error", "continues"])
    parameters = try members.object("parameters") ?? JSON.emptyObject[...]
    error = try members.text("error")
    continues = try members.flag("continues")
    if error != nil, continues { throw MalformedMessage("an error must not have \"continues\"") }
  }
}

/// The known members of a message. A member that is null counts as absent.
private struct Members {
  private let bytes: ArraySlice<UInt8>
  private var values: [String: JSONScanner.Value] = [:]

  init(
    _ bytes: ArraySlice<UInt8>, known: [String], checksNested: Bool = true
  ) throws(MalformedMessage) {
    self.bytes = bytes
    let members: [JSONScanner.Member]
    do throws(JSON.Problem) {
      members = try JSONScanner.members(of: bytes, checksNested: checksNested)
    } catch {
      throw MalformedMessage(error.reason)
    }
    for member in members {
      if let name = known.first(where: { member.name == $0 }) {
        if case .null = member.value.kind { continue }
        values[name] = member.value
      } else if !member.name.text.utf8.contains(UInt8(ascii: ".")) {
        // A member with a dot in its name is a vendor's extension, and is ignored.
        throw MalformedMessage(
          "it has an unknown member; the members are \(known.joined(separator: ", "))")
      }
    }
  }

  func text(_ name: String) throws(MalformedMessage) -> String? {
    guard let value = values[name] else { return nil }
    guard case .string = value.kind else { throw mismatch(name, "string") }
    return JSONScanner.text(value, in: bytes)
  }

  func object(_ name: String) throws(MalformedMessage) -> ArraySlice<UInt8>? {
    guard let value = values[name] else { return nil }
    guard case .object = value.kind else { throw mismatch(name, "object") }
    return bytes[value.range]
  }

  func flag(_ name: String) throws(MalformedMessage) -> Bool {
    guard let value = values[name] else { return false }
    guard case .bool(let flag) = value.kind else { throw mismatch(name, "boolean") }
    return flag
  }

  private func mismatch(_ name: String, _ expected: String) -> MalformedMessage {
    MalformedMessage("its member \"\(name)\" must be of the type \(expected)")
  }
}

/// Thrown if a message is not a valid Varlink message. The reason is to be put after "the message
/// is malformed: ".
struct MalformedMessage: Error, Hashable {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
