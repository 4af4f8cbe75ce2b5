public import LinuxIO
internal import Text

/// The reason why a call failed.
public enum ClientError: Error, Sendable, CustomStringConvertible {
  /// A system call failed. Examples: `connect`, because there is no service at the socket
  /// (`ENOENT`, `ECONNREFUSED`) or because this user has no permission (`EACCES`).
  case system(SystemError)
  /// The service has closed the connection.
  case closed
  /// The service did not answer in time.
  case timedOut
  /// The service sent an invalid reply. Holds the reason, in which "it" is the reply.
  case malformed(String)
  /// The service replied with an error.
  case remote(RemoteError)

  public var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .closed: "the service has closed the connection"
    case .timedOut: "the service did not answer in time"
    case .malformed(let reason): "the service sent an invalid reply: \(reason)"
    case .remote(let error): "\(error)"
    }
  }
}

/// An error reply from a service.
public struct RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fully qualified name of the error.
  public let name: String
  /// The parameters: one JSON object that `JSONScanner` has checked.
  let parameters: [UInt8]

  /// Decodes the parameters of the error.
  /// - Returns: nil if the parameters cannot be decoded as `P`.
  public func parameters<P: Decodable>(_ type: P.Type = P.self) -> P? {
    try? JSON.decodeScanned(type, from: parameters[...])
  }

  /// The error's parameter "message", a text for users; nil if it has none.
  public var message: String? {
    struct Message: Decodable { let message: String }
    return parameters(Message.self)?.message
  }

  public var description: String {
    message ?? "\(name) \(String(decoding: parameters, as: UTF8.self))"
  }
}
