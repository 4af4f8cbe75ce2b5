/// A value that is already encoded, so that the original value can be freed and the length is
/// known.
package struct PreencodedJSON: Sendable {
  /// The JSON text; nil if JSON cannot represent the value.
  let bytes: [UInt8]?

  package init(_ value: some Encodable) {
    var writer = JSONWriter()
    if let value = value as? any JSONWritable {
      value.write(to: &writer)
    } else {
      writer.value(value)
    }
    bytes = writer.isComplete ? writer.bytes : nil
  }

  package var byteCount: Int { bytes?.count ?? 0 }
}

/// An object with one member: a list of values that are already encoded.
package struct PreencodedList: JSONWritable {
  private let name: String
  private let values: [PreencodedJSON]

  /// - Parameter name: the name of the member.
  package init(_ name: String, _ values: [PreencodedJSON]) {
    self.name = name
    self.values = values
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member(name)
      json.array { json in
        for value in values { json.value(value) }
      }
    }
  }

  /// - Throws: always, because other encoders cannot include JSON text.
  package func encode(to encoder: any Encoder) throws {
    let context = EncodingError.Context(
      codingPath: encoder.codingPath, debugDescription: "already encoded as JSON")
    throw EncodingError.invalidValue(self, context)
  }
}
