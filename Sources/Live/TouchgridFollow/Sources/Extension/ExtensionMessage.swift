internal import Text

enum ExtensionMessage: Decodable {
  case page(ExtensionPage)
  /// A report of the script in the shown page. The page may have forged it: only `PageControls`
  /// parses it.
  case told(String)
  /// The browser does not let the extension run scripts in pages.
  case refusal

  /// The maximum length of a forwarded message, in bytes. It fits into the buffer of a socket, so
  /// that sending it never waits for the reader. Names are shorter, because the extension shortens
  /// them.
  static let limit = 128 << 10
  /// Withdraws the last report of the page.
  static let nothingTold = Array(#"{"told":""}"#.utf8)

  private enum Key: String, CodingKey {
    case told, refused
  }

  /// - Returns: nil if the message is malformed.
  init?(_ message: [UInt8]) {
    guard let decoded = try? JSON.decode(Self.self, from: message[...]) else { return nil }
    self = decoded
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    if members.contains(.told) {
      self = .told(try members.decode(String.self, forKey: .told))
    } else if members.contains(.refused) {
      self = .refusal
    } else {
      self = .page(try ExtensionPage(from: decoder))
    }
  }
}

/// A message to the extension.
enum ExtensionOrder {
  /// Whether the extension shall run the script in the shown page. `true` also requests a new
  /// report.
  case controls(Bool)
  /// The last report was accepted, so the extension may send the next one.
  case taken

  /// The message in the form that browsers read.
  var framed: [UInt8] {
    switch self {
    case .controls(let wanted): NativeMessages.framed(Array(#"{"controls":\#(wanted)}"#.utf8))
    case .taken: NativeMessages.framed(Array(#"{"taken":true}"#.utf8))
    }
  }
}
