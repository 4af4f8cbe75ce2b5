/// Decodes JSON from untrusted files as strictly as messages.
public enum StrictJSON {
  /// The reason why the JSON was rejected.
  public struct Problem: Error, Hashable, Sendable {
    public let reason: String
  }

  /// Checks and decodes one object.
  /// - Parameter bytes: the whole text.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) throws(Problem) -> Value {
    do throws(MalformedMessage) {
      _ = try JSONScanner.members(of: bytes)
    } catch {
      throw Problem(reason: error.reason)
    }
    do throws(DecodingError) {
      return try JSON.decode(type, from: bytes)
    } catch {
      throw Problem(reason: words(error))
    }
  }

  private static func words(_ error: DecodingError) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context):
      return
        "'\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "'\(path(context))' has the wrong type"
    case .dataCorrupted(let context):
      return "'\(path(context))' has an invalid value"
    @unknown default: return "\(error)"
    }
  }
}
