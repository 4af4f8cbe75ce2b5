/// JSON objects that are no messages of Varlink, such as a browser's.
package enum ForeignJSON {
  /// - Parameter bytes: one object, which may be anything.
  /// - Returns: nil where it is none, or lacks what the type needs.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) -> Value? {
    guard (try? JSONScanner.members(of: bytes)) != nil else { return nil }
    return try? JSON.decode(type, from: bytes)
  }

  /// - Returns: nil where the value is no object, or has a number that JSON cannot say.
  package static func encode(_ value: some Encodable) -> [UInt8]? { JSON.encodedObject(value) }
}
