import Text
internal import TouchModel

@testable import TouchgridFollow
@testable import Varlink

/// Fuzzes what browsers and programs report about the pages they show. The first byte chooses the
/// source. The second one, plus 1, is the size of the pieces in which the rest arrives, for sources
/// that read a stream.
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

/// Treats each line as a DevTools message.
private func fuzzDevTools(_ bytes: ArraySlice<UInt8>) {
  let messages = bytes.split(separator: UInt8(ascii: "\n"))
  var pages = BrowserPages()
  var loads = PageLoads()
  for (number, message) in messages.enumerated() {
    pages.handle(message)
    for call in loads.handle(message, &pages) { loads.sent(call, as: number) }
    must(pages.targets.count <= BrowserPages.limit, "a limited number of pages is kept")
  }
  for message in messages { pages.handle(gone(of: message)) }
  must(pages.shown == nil, "pages that are closed are shown no more")
  let path = BrowserAddress.path(Array(bytes))
  must(path?.hasPrefix("/devtools") ?? true, "a browser is asked for its own paths only")
}

/// Returns the DevTools message which reports that the target of `message` was closed.
private func gone(of message: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let event = try? JSON.decode(
    PageMessages.Event<PageMessages.Target>.self, from: message)
  let gone = ["targetId": event?.params.targetInfo.targetId ?? ""]
  struct Message: Encodable {
    var method = "Target.targetDestroyed"
    var params: [String: String]
  }
  return (JSON.encodedObject(Message(params: gone)) ?? [])[...]
}

private func fuzzExtension(_ bytes: ArraySlice<UInt8>, _ pieces: [ArraySlice<UInt8>]) {
  var whole = NativeMessages()
  let messages = whole.append(bytes)
  var cut = NativeMessages()
  must(pieces.flatMap { cut.append($0) } == messages, "pieces make no difference to messages")
  must(cut.isBroken == whole.isBroken, "nor to what is none")
  var tab = ExtensionTab()
  for message in messages {
    switch ExtensionMessage(message) {
    case .page(let page): _ = tab.seen(page, on: nil)
    case .told(let text): fuzzTold(text)
    case .refusal, nil: break
    }
    var again = NativeMessages()
    must(
      again.append(NativeMessages.framed(message)) == [message],
      "a message is the same after it was forwarded")
  }
}

/// Checks what follows from a text that a page's script told.
private func fuzzTold(_ text: String) {
  let report = PageReport(text)
  if case .response(let response) = report { _ = response.observed(on: nil, at: 1 << 40) }
  var controls: PageControls?
  if case .controls(let told) = report { controls = told }
  let observed = controls?.observed(on: nil, at: 0)
  must(observed == nil || controls?.fills == true, "only a page that fills the screen has controls")
  must(
    (observed?.items ?? []).allSatisfy { abs($0.rectangle.x) <= 100_000 },
    "controls lie where a display may be")
  must(
    (observed?.items.count ?? 0) <= ScreenControls.limit, "a page has a limited number of controls")
  must(
    PageControls.events(controls, on: nil, at: 0).count <= 2,
    "a text causes a limited number of events")
}

private func fuzzLines(_ bytes: ArraySlice<UInt8>, _ pieces: [ArraySlice<UInt8>]) {
  var whole = LineSplitter()
  let lines = whole.append(bytes)
  var cut = LineSplitter()
  must(pieces.flatMap { cut.append($0) } == lines, "pieces make no difference to lines")
  must(cut.takeRemainder() == whole.takeRemainder(), "pieces make no difference to the remainder")
  must(lines.count == bytes.count { $0 == UInt8(ascii: "\n") }, "each end of a line ends one")
}
