internal import Text

/// A message of the extension.
enum ExtensionMessage: Decodable {
  case page(ExtensionPage)
  /// What a script in the page that is shown told. It may be the page's: only `PageControls` knows
  /// what it says.
  case told(String)
  /// The browser does not let the extension run scripts in pages.
  case refusal

  /// The maximum length of a message that is passed on, in bytes. It fits into the buffer of a
  /// socket, so that whoever passes it on need not wait for the reader. Names are shorter, because
  /// the extension shortens them.
  static let limit = 128 << 10
  /// Withdraws what the page told before.
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
  /// Whether scripts shall run in the page that is shown and tell about it. `true` also makes them
  /// tell again.
  case controls(Bool)
  /// The text that the page told has been taken, so the extension may send the next one.
  case taken

  /// The message in the form that browsers read.
  var framed: [UInt8] {
    switch self {
    case .controls(let wanted): NativeMessages.framed(Array(#"{"controls":\#(wanted)}"#.utf8))
    case .taken: NativeMessages.framed(Array(#"{"taken":true}"#.utf8))
    }
  }
}
