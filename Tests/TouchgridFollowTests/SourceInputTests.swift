import TestSupport
import Testing

@testable import TouchgridFollow

/// Reading the input from programs and browsers, which may arrive in arbitrary pieces.
@Suite struct SourceInputTests {
  private func pieces(_ bytes: [UInt8], seed: UInt64) -> [ArraySlice<UInt8>] {
    var random = SeededGenerator(seed: seed)
    var rest = bytes[...]
    var pieces: [ArraySlice<UInt8>] = []
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...7, using: &random))
      pieces.append(piece)
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `Lines do not depend on how the input is split`(
    seed: UInt64
  ) {
    let text = "menu\nproduct\r\n\nschön/ 🙂\nlast"
    var splitter = LineSplitter()
    var lines: [String] = []
    for piece in pieces(Array(text.utf8), seed: seed) { lines += splitter.append(piece) }
    #expect(lines == ["menu", "product", "", "schön/ 🙂"])
    #expect(splitter.takeRemainder() == "last")
    #expect(splitter.takeRemainder() == nil)
  }

  @Test func `A line without an end takes limited memory`() {
    var splitter = LineSplitter()
    for _ in 0..<100 { #expect(splitter.append(Array(repeating: 120, count: 10_000)).isEmpty) }
    let lines = splitter.append([10, 255, 10])
    #expect(lines == [String(repeating: "x", count: LineSplitter.limit), "\u{fffd}"])
  }

  private func framed(_ message: String) -> [UInt8] {
    let bytes = Array(message.utf8)
    return (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `Messages do not depend on how the input is split`(
    seed: UInt64
  ) {
    let sent = ["{}", "", "{\"url\":\"http://x/\"}", String(repeating: " ", count: 300)]
    var messages = NativeMessages()
    var taken: [[UInt8]] = []
    for piece in pieces(sent.flatMap(framed), seed: seed) { taken += messages.append(piece) }
    #expect(taken == sent.map { Array($0.utf8) })
    #expect(!messages.isBroken)
  }

  @Test func `An impossible message length ends the input`() {
    var messages = NativeMessages()
    #expect(messages.append(framed("{}") + [0, 0, 0, 128] + framed("{}")).count == 1)
    #expect(messages.isBroken)
    #expect(messages.append(framed("{}")).isEmpty)
  }

  private func target(_ method: String, _ id: String, _ url: String, type: String = "page")
    -> String
  {
    """
    {"method":"Target.\(method)","params":{"targetInfo":{"targetId":"\(id)","type":"\(type)",\
    "title":"t","url":"\(url)","attached":false}}}
    """
  }

  private func shown(_ messages: [String]) -> String? {
    var pages = BrowserPages()
    for message in [#"{"id":1,"result":{}}"#] + messages { pages.handle(Array(message.utf8)[...]) }
    return pages.shown?.url
  }

  @Test func `Targets other than pages and invalid messages are ignored`() {
    for type in ["iframe", "browser_ui", "tab", #"page","subtype":"prerender"#] {
      #expect(shown([target("targetCreated", "A", "http://x/", type: type)]) == nil)
    }
    for message in ["", "[", "[]", "{}", "{\"method\":1}", "{\"method\":\"Target.targetCreated\"}"]
    {
      #expect(shown([message, target("targetCreated", "A", "http://x/")]) == "http://x/")
    }
  }

  @Test func `A requested title is used only if the page is still shown`() {
    var pages = BrowserPages()
    pages.handle(Array(target("targetCreated", "A", "http://x/1").utf8)[...])
    let answer = { (url: String) in
      """
      {"id":1,"result":{"targetInfos":[{"targetId":"A","type":"page","title":"new","url":"\(url)"}]}}
      """
    }
    pages.handle(Array(answer("http://x/0").utf8)[...])
    #expect(pages.shown?.title == "t")
    pages.handle(Array(answer("http://x/1").utf8)[...])
    #expect(pages.shown?.title == "new")
  }
}
