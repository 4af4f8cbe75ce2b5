internal import LinuxIO

/// An object on the accessibility bus.
struct AccessibleReference: Hashable {
  /// The unique name of the program.
  var program: String
  var path: String

  /// Whether the program has a unique name of a bus. The bus would close the connection to a client
  /// that calls another name.
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
  /// The maximum length of a name that is used, in characters.
  private static let textLimit = 1000

  let bus: DBusConnection

  /// Each method calls its last argument with nil if the call failed.
  func children(
    of object: AccessibleReference, limit: Int,
    _ body: @escaping ([AccessibleReference]?) -> Void
  ) {
    call("GetChildren", of: Self.accessible, on: object) { reply in
      guard var reader = reply?.reader("a(so)") else { return body(nil) }
      body(
        reader.array(alignment: 8, limit: limit) { reader in
          guard reader.align(8), let program = reader.text(), let path = reader.text() else {
            return nil
          }
          return AccessibleReference(program: program, path: path)
        })
    }
  }

  func role(of object: AccessibleReference, _ body: @escaping (AccessibleRole?) -> Void) {
    call("GetRole", of: Self.accessible, on: object) { reply in
      var reader = reply?.reader("u")
      body(reader?.number().map { AccessibleRole(rawValue: $0) })
    }
  }

  func states(of object: AccessibleReference, _ body: @escaping (AccessibleStates?) -> Void) {
    call("GetState", of: Self.accessible, on: object) { reply in
      var reader = reply?.reader("au")
      guard let words = reader?.array(alignment: 4, limit: 4, { $0.number() }), words.count >= 2
      else { return body(nil) }
      body(AccessibleStates(rawValue: UInt64(words[1]) << 32 | UInt64(words[0])))
    }
  }

  func place(of object: AccessibleReference, _ body: @escaping (AccessibleTree.Place?) -> Void) {
    call("GetExtents", of: "org.a11y.atspi.Component", on: object, [.number(Self.inWindow)]) {
      guard var reader = $0?.reader("(iiii)"), let x = reader.number(), let y = reader.number(),
        let width = reader.number(), let height = reader.number()
      else { return body(nil) }
      body(
        AccessibleTree.Place(
          x: Int32(bitPattern: x), y: Int32(bitPattern: y), width: Int32(bitPattern: width),
          height: Int32(bitPattern: height)))
    }
  }

  func interfaces(of object: AccessibleReference, _ body: @escaping ([String]?) -> Void) {
    call("GetInterfaces", of: Self.accessible, on: object) { reply in
      var reader = reply?.reader("as")
      body(reader?.array(alignment: 4, limit: 64) { $0.text() })
    }
  }

  /// Reads a text property.
  func text(
    _ name: String, of interface: String = accessible, on object: AccessibleReference,
    _ body: @escaping (String?) -> Void
  ) {
    call("Get", of: Self.properties, on: object, [.text(interface), .text(name)]) { reply in
      guard var reader = reply?.reader("v"), reader.signature() == "s" else { return body(nil) }
      body(reader.text().map { String($0.prefix(Self.textLimit)) })
    }
  }

  /// Reads the number of characters that an object shows.
  func textLength(of object: AccessibleReference, _ body: @escaping (Int?) -> Void) {
    let arguments: [DBusMessage.Argument] = [
      .text("org.a11y.atspi.Text"), .text("CharacterCount"),
    ]
    call("Get", of: Self.properties, on: object, arguments) { reply in
      guard var reader = reply?.reader("v"), reader.signature() == "i" else { return body(nil) }
      body(reader.number().map { Int(Int32(bitPattern: $0)) })
    }
  }

  private func call(
    _ member: String, of interface: String, on object: AccessibleReference,
    _ arguments: [DBusMessage.Argument] = [], _ body: @escaping (DBusMessage?) -> Void
  ) {
    bus.call(member, of: interface, at: object.path, on: object.program, arguments, body)
  }
}
