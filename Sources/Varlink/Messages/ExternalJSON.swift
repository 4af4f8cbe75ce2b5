/// JSON objects that are not Varlink messages, such as those of a browser.
package enum ExternalJSON {
  /// Checks and decodes one object.
  /// - Parameter bytes: the text, which may be anything.
  /// - Returns: nil if it is not a JSON object, or lacks a member that the type needs.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) -> Value? {
    guard (try? JSONScanner.members(of: bytes)) != nil else { return nil }
    return try? JSON.decode(type, from: bytes)
  }

  /// Encodes an object.
  /// - Returns: nil if the value is not an object, or has a number that JSON cannot represent (NaN
  ///   or infinity).
  package static func encode(_ value: some Encodable) -> [UInt8]? { JSON.encodedObject(value) }
}
