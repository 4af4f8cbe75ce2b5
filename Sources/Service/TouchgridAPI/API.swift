package import Varlink

/// The Swift types of the Varlink interface `io.touchgrid`.
///
/// `scripts/interface` makes them from `io.touchgrid.varlink` when the package is built. Members with names in `…Ms` are milliseconds, in `…Us` microseconds. An `…AtMs` is a
/// wall-clock time: milliseconds since 1970-01-01 00:00 UTC. An `…AtUs` is a time on
/// `CLOCK_MONOTONIC`, the clock of input events. Points are logical coordinates on a display: the
/// origin is at the top left of the picture, x points to the right and y down. Names of screens and
/// displays have 1 to 128 bytes of printable UTF-8.
///
/// A member that may be null is optional. The encoder leaves nil out, and the decoder accepts both
/// null and a missing member, as other implementations of Varlink do.
///
/// Every method can fail with `NotPermitted` if the caller lacks the role that the method needs.
public enum API {
  /// The name of the interface.
  package static let interface = "io.touchgrid"
}

/// A method of the interface. A value of such a type is one call: its members are the parameters.
public protocol Method: Encodable, Hashable, Sendable {
  /// The type of the daemon's reply. With `more`, one call can have several replies.
  associatedtype Reply: Codable, Hashable, Sendable
  /// The fully qualified name of the method, such as `io.touchgrid.GetStatus`.
  static var name: String { get }
}

/// A method as the daemon serves it.
package protocol ServedMethod: Method, CallParameters {
  static var rule: MethodRule { get }
}

/// The roles that may call a method, and its priority.
package struct MethodRule: Sendable {
  package let method: String
  /// The caller needs one of these roles. If it has none, the error names the first.
  package let roles: [API.Role]
  /// Whether calls of the method are served before all others, because a delay could change which
  /// touches are masked or counted. Applies to callers with the role `app` and to owners.
  package let isUrgent: Bool

  init<M: Method>(_ method: M.Type, _ roles: [API.Role], isUrgent: Bool) {
    (self.method, self.roles, self.isUrgent) = (method.name, roles, isUrgent)
  }

  /// Returns the rule of a method; nil for an unknown method. Compares bytes, because `==` of
  /// `String` would also accept other spellings that Unicode considers equal.
  package static func of(_ method: String) -> MethodRule? {
    all.first { $0.method.utf8.elementsEqual(method.utf8) }
  }
}

/// An error of the interface, with which the daemon answers a call.
public protocol Fault: Error, Codable, Hashable {
  /// The fully qualified name of the error, such as `io.touchgrid.NoSession`.
  static var name: String { get }
  /// The error and the remedy, as text for a person.
  var message: String { get }
}

extension Fault {
  /// The error in the form in which the server sends it.
  package var varlinkError: VarlinkError { VarlinkError(Self.name, self) }
}

extension API {
  /// The empty reply of a method that only confirms its success.
  public struct NoReply: Codable, Hashable, Sendable {
    /// Creates a reply.
    package init() {}
  }
}
