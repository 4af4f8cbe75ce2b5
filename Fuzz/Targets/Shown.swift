@testable import TouchgridFollow

/// What a browser or a program says of what it shows. The first byte says who, the second in how long pieces it comes.
func fuzzShown(_ bytes: [UInt8]) {
  var bytes = bytes[...]
  guard let speaker = bytes.popFirst(), let length = bytes.popFirst() else { return }
  let pieces = stride(from: bytes.startIndex, to: bytes.endIndex, by: Int(length) + 1)
    .map { bytes[$0..<min($0 + Int(length) + 1, bytes.endIndex)] }
  switch speaker % 3 {
  case 0: fuzzDevTools(bytes)
  case 1: fuzzExtension(bytes, pieces)
  default: fuzzLines(bytes, pieces)
  }
}

/// A message a line.
private func fuzzDevTools(_ bytes: ArraySlice<UInt8>) {
  var pages = BrowserPages()
  for message in bytes.split(separator: UInt8(ascii: "\n")) {
    pages.take(message)
    must(pages.shown?.url.isEmpty != true, "a page that is shown has an address")
  }
  _ = BrowserAddress.path(Array(bytes))
}

private func fuzzExtension(_ bytes: ArraySlice<UInt8>, _ pieces: [ArraySlice<UInt8>]) {
  var whole = NativeMessages()
  let messages = whole.take(bytes)
  var cut = NativeMessages()
  must(pieces.flatMap { cut.take($0) } == messages, "pieces make no difference to messages")
  must(cut.isBroken == whole.isBroken, "nor to what is none")
  must(messages.allSatisfy { $0.count <= NativeMessages.limit }, "no message is too long")
  for message in messages {
    _ = ExtensionPage(message: message)?.seen(on: nil)
    var again = NativeMessages()
    must(again.take(NativeMessages.framed(message)) == [message], "what is handed on is the same")
  }
}

private func fuzzLines(_ bytes: ArraySlice<UInt8>, _ pieces: [ArraySlice<UInt8>]) {
  var whole = LineSplitter()
  let lines = whole.take(bytes)
  var cut = LineSplitter()
  must(pieces.flatMap { cut.take($0) } == lines, "pieces make no difference to lines")
  must(cut.rest() == whole.rest(), "nor to what is left")
  must(!lines.contains { $0.utf8.contains(UInt8(ascii: "\n")) }, "a line is one")
}
