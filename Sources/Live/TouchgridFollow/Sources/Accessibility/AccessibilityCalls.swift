/// An object on the accessibility bus.
struct AccessibleReference: Hashable {
  /// The unique name of the program.
  var program: String
  var path: String

  /// Whether the program has a unique name. The bus would disconnect a client that calls an invalid
  /// name.
  var isValid: Bool {
    program.hasPrefix(":") && program.utf8.count < 64
      && program.dropFirst().allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
      && program.contains(".") && !program.contains("..") && !program.hasSuffix(".")
      && !program.hasPrefix(":.")
  }

  /// The object whose children are the programs.
  static let desktop = AccessibleReference(
    program: "org.a11y.atspi.Registry", path: "/org/a11y/atspi/accessible/root")
}

/// The calls of AT-SPI that this program makes.
struct AccessibilityCalls {
  static let accessible = "org.a11y.atspi.Accessible"
  private static let properties = "org.freedesktop.DBus.Properties"
  /// `ATSPI_COORD_TYPE_WINDOW`.
  private static let inWindow: UInt32 = 1

  let bus: DBusConnection

  /// These methods call their last argument with nil if the call failed.
  func children(
    of object: AccessibleReference, limit: Int,
    _ body: @escaping ([AccessibleReference]?) -> Void
  ) {
    call("GetChildren", on: object, returning: "a(so)", body) { reply in
      reply.array(of: "(so)", limit: limit) {
        reply.structure(of: "so") {
          guard let program = reply.text(), let path = reply.path() else { return nil }
          return AccessibleReference(program: program, path: path)
        }
      }
    }
  }

  func role(of object: AccessibleReference, _ body: @escaping (AccessibleRole?) -> Void) {
    call("GetRole", on: object, returning: "u", body) { reply in
      reply.unsigned().map { AccessibleRole(rawValue: $0) }
    }
  }

  func states(of object: AccessibleReference, _ body: @escaping (AccessibleStates?) -> Void) {
    call("GetState", on: object, returning: "au", body) { reply in
      guard let words = reply.array(of: "u", limit: 4, reply.unsigned), words.count >= 2 else {
        return nil
      }
      return AccessibleStates(rawValue: UInt64(words[1]) << 32 | UInt64(words[0]))
    }
  }

  func place(of object: AccessibleReference, _ body: @escaping (AccessibleTree.Place?) -> Void) {
    call(
      "GetExtents", of: "org.a11y.atspi.Component", on: object, [.number(Self.inWindow)],
      returning: "(iiii)", body
    ) { reply in
      reply.structure(of: "iiii") {
        guard let x = reply.signed(), let y = reply.signed(), let width = reply.signed(),
          let height = reply.signed()
        else { return nil }
        return AccessibleTree.Place(x: x, y: y, width: width, height: height)
      }
    }
  }

  func interfaces(of object: AccessibleReference, _ body: @escaping ([String]?) -> Void) {
    call("GetInterfaces", on: object, returning: "as", body) { reply in
      reply.array(of: "s", limit: 64, reply.text)
    }
  }

  /// Reads a text property; nil if it is longer than `DBusMessage.textLimit`.
  func text(
    _ name: String, of interface: String = accessible, on object: AccessibleReference,
    _ body: @escaping (String?) -> Void
  ) {
    property(name, of: interface, on: object, body) { reply in
      reply.variant(of: "s", reply.text)
    }
  }

  /// Reads the number of characters that an object shows.
  func textLength(of object: AccessibleReference, _ body: @escaping (Int?) -> Void) {
    property("CharacterCount", of: "org.a11y.atspi.Text", on: object, body) { reply in
      reply.variant(of: "i", reply.signed).map { Int($0) }
    }
  }

  private func property<Value>(
    _ name: String, of interface: String, on object: AccessibleReference,
    _ body: @escaping (Value?) -> Void, read: @escaping (DBusMessage) -> Value?
  ) {
    call(
      "Get", of: Self.properties, on: object, [.text(interface), .text(name)], returning: "v",
      body, read: read)
  }

  /// - Parameters:
  ///   - signature: The expected types of the reply. A reply with other types counts as a failure.
  ///   - read: Returns the value of a reply; nil if it is not valid.
  private func call<Value>(
    _ member: String, of interface: String = accessible, on object: AccessibleReference,
    _ arguments: [DBusConnection.Argument] = [], returning signature: String,
    _ body: @escaping (Value?) -> Void, read: @escaping (DBusMessage) -> Value?
  ) {
    bus.call(member, of: interface, at: object.path, on: object.program, arguments) { reply in
      guard let reply, reply.hasTypes(signature) else { return body(nil) }
      body(read(reply))
    }
  }
}
