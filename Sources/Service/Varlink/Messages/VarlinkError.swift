internal import Text

public struct VarlinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fully qualified name, such as "org.varlink.service.InvalidParameter".
  public let name: String
  /// The parameters, as one JSON object.
  let parameters: [UInt8]

  public init(_ name: String, _ parameters: some Encodable) {
    self.name = name
    // If the parameters cannot be encoded, the error is sent without them.
    self.parameters = JSON.encodedObject(parameters) ?? JSON.emptyObject
  }

  public var description: String { "\(name) \(String(decoding: parameters, as: UTF8.self))" }
}

/// The errors that every service has (the interface org.varlink.service).
extension VarlinkError {
  /// The service does not have the interface.
  public static func interfaceNotFound(_ interface: String) -> VarlinkError {
    standard("InterfaceNotFound", ["interface": interface])
  }

  /// The interface does not have the method.
  /// - Parameter method: the fully qualified name.
  public static func methodNotFound(_ method: String) -> VarlinkError {
    standard("MethodNotFound", ["method": method])
  }

  /// The interface has the method, but the service does not implement it.
  public static func methodNotImplemented(_ method: String) -> VarlinkError {
    standard("MethodNotImplemented", ["method": method])
  }

  /// A parameter is unknown, missing, or of the wrong type.
  public static func invalidParameter(_ name: String) -> VarlinkError {
    standard("InvalidParameter", ["parameter": name])
  }

  /// The client lacks permission for the call.
  public static let permissionDenied = standard("PermissionDenied", [:])

  /// The method must be called with "more".
  public static let expectedMore = standard("ExpectedMore", [:])

  /// The method must be called with "upgrade".
  public static let expectedUpgrade = standard("ExpectedUpgrade", [:])

  private static func standard(_ name: String, _ parameters: [String: String]) -> VarlinkError {
    VarlinkError("org.varlink.service.\(name)", parameters)
  }
}
