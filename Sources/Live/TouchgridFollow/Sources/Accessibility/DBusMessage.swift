internal import CSDBus
internal import Glibc

/// A received D-Bus message, whose values are read in order. Another program wrote the values, so
/// they may be anything; sd-bus checks the format of each when it is read.
@safe final class DBusMessage {
  /// The maximum length of a text, in bytes. A message may have up to 128 MiB.
  static let textLimit = 4096

  private let message: OpaquePointer

  init(_ message: OpaquePointer) {
    unsafe self.message = message
    unsafe sd_bus_message_ref(message)
  }

  deinit { unsafe sd_bus_message_unref(message) }

  /// Whether the message is the error reply to a call.
  var isError: Bool { unsafe sd_bus_message_is_method_error(message, nil) > 0 }

  /// The unique name of the sending program, as set by the bus.
  var sender: String {
    guard let name = unsafe sd_bus_message_get_sender(message) else { return "" }
    return unsafe String(cString: name)
  }

  /// Whether the values of the message have exactly these types.
  func hasTypes(_ signature: String) -> Bool {
    unsafe sd_bus_message_has_signature(message, signature) > 0
  }

  // These methods return nil if the next value has another type or is malformed.

  func unsigned() -> UInt32? {
    var number: UInt32 = 0
    return unsafe sd_bus_message_read_basic(message, code("u"), &number) > 0 ? number : nil
  }

  func signed() -> Int32? {
    var number: Int32 = 0
    return unsafe sd_bus_message_read_basic(message, code("i"), &number) > 0 ? number : nil
  }

  /// Reads a text, or the path of an object. Returns nil if it is longer than `textLimit`.
  func text() -> String? { text("s") }
  func path() -> String? { text("o") }

  private func text(_ type: Unicode.Scalar) -> String? {
    var text: UnsafePointer<CChar>?
    guard unsafe sd_bus_message_read_basic(message, code(type), &text) > 0,
      let text = unsafe text, unsafe strnlen(text, Self.textLimit + 1) <= Self.textLimit
    else { return nil }
    return unsafe String(cString: text)
  }

  /// Reads an array. Returns nil if it has more than `limit` elements.
  func array<Element>(
    of type: String, limit: Int, _ element: () -> Element?
  ) -> [Element]? {
    container("a", type) {
      var elements: [Element] = []
      while unsafe sd_bus_message_at_end(message, 0) == 0 {
        guard elements.count < limit, let next = element() else { return nil }
        elements.append(next)
      }
      return elements
    }
  }

  func structure<Value>(of types: String, _ body: () -> Value?) -> Value? {
    container("r", types, body)
  }

  func variant<Value>(of type: String, _ body: () -> Value?) -> Value? {
    container("v", type, body)
  }

  /// Reads a container and all of its values.
  private func container<Value>(
    _ type: Unicode.Scalar, _ contents: String, _ body: () -> Value?
  ) -> Value? {
    guard unsafe sd_bus_message_enter_container(message, code(type), contents) > 0,
      let value = body(), unsafe sd_bus_message_exit_container(message) >= 0
    else { return nil }
    return value
  }

  private func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
}
