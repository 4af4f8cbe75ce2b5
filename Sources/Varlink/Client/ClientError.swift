public import LinuxIO

/// Why a call failed.
public enum ClientError: Error, Sendable, CustomStringConvertible {
  /// Such as connecting: no daemon (`ENOENT`, `ECONNREFUSED`), no permission (`EACCES`).
  case system(SystemError)
  /// The service has closed the connection.
  case closed
  /// The service did not answer in time.
  case timedOut
  /// What came is no reply; why.
  case malformed(String)
  /// The service answers with an error.
  case remote(RemoteError)

  public var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .closed: "the service has closed the connection"
    case .timedOut: "the service did not answer in time"
    case .malformed(let reason): "the service sent what is no reply: \(reason)"
    case .remote(let error): "\(error)"
    }
  }
}

/// An error that a service answers with.
public struct RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Fully qualified.
  public let name: String
  /// One JSON object, scanned.
  let parameters: [UInt8]

  /// - Returns: nil where the error has other parameters than these.
  public func parameters<P: Decodable>(_ type: P.Type = P.self) -> P? {
    try? JSON.decode(type, from: parameters[...])
  }

  /// The parameter "message", which an error may have for people to read.
  public var message: String? {
    struct Message: Decodable { let message: String }
    return parameters(Message.self)?.message
  }

  public var description: String {
    message ?? "\(name) \(String(decoding: parameters, as: UTF8.self))"
  }
}
