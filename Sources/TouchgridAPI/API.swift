public import Varlink

/// The interface `io.touchgrid` as Swift types: what `io.touchgrid.varlink` names there has the same
/// name here, with the same members. That file tells what they mean and in which units.
///
/// A member that may be null is optional: nil is left out when it is sent, and taken from null as well
/// as from nothing when it is received, as other implementations of Varlink do.
public enum API {
  public static let interface = "io.touchgrid"
}

/// A method, and at the same time one call of it: its members are the parameters.
public protocol Method: CallParameters, Encodable, Hashable {
  associatedtype Reply: Codable, Hashable, Sendable
  /// Fully qualified.
  static var name: String { get }
}

/// An error that a call is answered with.
public protocol Fault: Error, Codable, Hashable {
  /// Fully qualified.
  static var name: String { get }
  /// What was wrong and what to do, for people.
  var message: String { get }
}

extension Fault {
  public var varlinkError: VarlinkError { VarlinkError(Self.name, self) }
}

extension API {
  /// The reply of a method that says nothing but that it is done.
  public struct NoReply: Codable, Hashable, Sendable {
    public init() {}
  }
}
