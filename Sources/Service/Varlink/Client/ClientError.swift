public import LinuxIO
internal import Text

/// The reason why a call failed.
public enum ClientError: Error, Sendable, CustomStringConvertible {
  /// A system call failed, such as connecting: no daemon (`ENOENT`, `ECONNREFUSED`) or no
  /// permission (`EACCES`).
  case system(SystemError)
  /// The service has closed the connection.
  case closed
  /// The service did not answer in time.
  case timedOut
  /// The message is not a valid reply; the reason.
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
  /// One JSON object that `JSONScanner` has checked.
  let parameters: [UInt8]

  /// Decodes the parameters of the error.
  /// - Returns: nil if the error has other parameters.
  public func parameters<P: Decodable>(_ type: P.Type = P.self) -> P? {
    try? JSON.decodeScanned(type, from: parameters[...])
  }

  /// The parameter "message" that an error may have: text for users.
  public var message: String? {
    struct Message: Decodable { let message: String }
    return parameters(Message.self)?.message
  }

  public var description: String {
    message ?? "\(name) \(String(decoding: parameters, as: UTF8.self))"
  }
}
