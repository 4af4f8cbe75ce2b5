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

/// An object with a list of values that are already encoded, and perhaps a number.
package struct PreencodedList: JSONWritable {
  private let name: String
  private let values: [PreencodedJSON]
  private let number: (name: String, value: Int64)?

  /// - Parameters:
  ///   - name: the name of the list.
  ///   - number: the name and the value of the number; nil for none.
  package init(
    _ name: String, _ values: [PreencodedJSON], also number: (name: String, value: Int64)? = nil
  ) {
    self.name = name
    self.values = values
    self.number = number
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member(name)
      json.array { json in
        for value in values { json.value(value) }
      }
      if let number {
        json.member(number.name)
        json.value(number.value)
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
