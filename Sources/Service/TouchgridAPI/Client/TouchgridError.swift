internal import LinuxIO
internal import Varlink

/// The reason why a call failed.
public enum TouchgridError: Error, Sendable, CustomStringConvertible {
  /// A system call failed, or a call is already in progress (`EBUSY`). `code` is the `errno`, and
  /// `text` has the failed action and the reason.
  case system(code: Int32, text: String)
  /// The daemon has closed the connection.
  case closed
  /// The daemon did not answer in time.
  case timedOut
  /// The reply is not valid. The value is the reason.
  case malformed(String)
  /// The daemon answered with an error of the interface.
  case fault(any Fault)
  /// The daemon answered with an error that this library does not know, because the two have
  /// different versions. `name` is the error's fully qualified name, and `text` its message.
  case unknown(name: String, text: String)

  /// Returns the error of a given type that the daemon answered with.
  ///
  ///     if let late = error.as(API.TooLate.self) { print(late.limitUs) }
  ///
  /// - Returns: nil if the call failed for another reason.
  public func `as`<F: Fault>(_ type: F.Type) -> F? {
    if case .fault(let fault) = self { fault as? F } else { nil }
  }

  /// The error, as text for a person.
  public var description: String {
    switch self {
    case .system(_, let text): text
    case .closed: "\(ClientError.closed)"
    case .timedOut: "\(ClientError.timedOut)"
    case .malformed(let reason): "\(ClientError.malformed(reason))"
    case .fault(let fault): fault.message
    case .unknown(_, let text): text
    }
  }
}

extension TouchgridError {
  init(_ error: ClientError) {
    switch error {
    case .system(let error): self.init(error)
    case .closed: self = .closed
    case .timedOut: self = .timedOut
    case .malformed(let reason): self = .malformed(reason)
    case .remote(let error):
      self =
        API.fault(of: error).map { .fault($0) }
        ?? .unknown(name: error.name, text: "\(error)")
    }
  }

  init(_ error: SystemError) { self = .system(code: error.code, text: "\(error)") }
}

extension API {
  fileprivate static func fault(of error: RemoteError) -> (any Fault)? {
    func decoded<F: Fault>(_ type: F.Type) -> (any Fault)? { error.parameters(type) }
    return faults.first { $0.name == error.name }.flatMap { decoded($0) }
  }
}
