/// A value that is written down already: what it was made of can go, and its length is known.
public struct WrittenJSON: Sendable {
  /// Nothing where JSON cannot say it.
  let bytes: [UInt8]?

  public init(_ value: some Encodable) {
    var writer = JSONWriter()
    if let value = value as? any JSONWritable {
      value.write(to: &writer)
    } else {
      writer.value(value)
    }
    bytes = writer.isComplete ? writer.bytes : nil
  }

  public var byteCount: Int { bytes?.count ?? 0 }
}

/// Parameters with one member, a list of values that are written down already.
public struct WrittenList: JSONWritable {
  private let name: String
  private let values: [WrittenJSON]

  /// - Parameter name: of the member.
  public init(_ name: String, _ values: [WrittenJSON]) {
    self.name = name
    self.values = values
  }

  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member(name)
      json.array { json in
        for value in values { json.value(value) }
      }
    }
  }

  /// - Throws: always: other encoders take no JSON.
  public func encode(to encoder: any Encoder) throws {
    let context = EncodingError.Context(
      codingPath: encoder.codingPath, debugDescription: "written down as JSON already")
    throw EncodingError.invalidValue(self, context)
  }
}
