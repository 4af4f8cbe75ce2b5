import Glibc
import LinuxIO
import Testing

@testable import Varlink

private struct Malformed: CustomTestStringConvertible {
  let bytes: [UInt8]
  let reason: String
  var testDescription: String { String(reason.prefix(60)) + " (\(bytes.count) bytes)" }

  init(_ text: String, _ reason: String) { self.init(Array(text.utf8), reason) }

  init(_ bytes: [UInt8], _ reason: String) {
    self.bytes = bytes
    self.reason = reason
  }
}

private func nested(_ depth: Int, _ open: String, _ close: String) -> String {
  call(
    "Echo",
    #"{"text":\#(String(repeating: open, count: depth))1\#(String(repeating: close, count: depth))}"#
  )
}

private let malformed = [
  Malformed("", "it is not a JSON object"),
  Malformed("  ", "it is not a JSON object"),
  Malformed("[]", "it is not a JSON object"),
  Malformed("\"method\"", "it is not a JSON object"),
  Malformed("GET / HTTP/1.1\r\n", "it is not a JSON object"),
  Malformed("\u{feff}{}", "it is not a JSON object"),
  Malformed("{", "the JSON ends too early"),
  Malformed("{\"method\":\"", "the JSON ends too early"),
  Malformed("{\"method\":\"a\\", "the JSON ends too early"),
  Malformed("{\"method\":\"a\\u12", "the JSON ends too early"),
  Malformed("{\"method\":tru", "the JSON is not valid at byte 10"),
  Malformed("{} {}", "the JSON is not valid at byte 3"),
  Malformed("{\"method\":\"a\",}", "the JSON is not valid at byte 14"),
  Malformed("{\"method\":01}", "the JSON is not valid at byte 11"),
  Malformed("{\"method\":-}", "the JSON is not valid at byte 11"),
  Malformed("{\"method\":1.}", "the JSON is not valid at byte 12"),
  Malformed("{\"method\":1e}", "the JSON is not valid at byte 12"),
  Malformed("{\"method\":NaN}", "the JSON is not valid at byte 10"),
  Malformed("{\"method\":'a'}", "the JSON is not valid at byte 10"),
  Malformed("{method:1}", "the JSON is not valid at byte 1"),
  Malformed("{\"method\"}", "the JSON is not valid at byte 9"),
  Malformed("{\"method\":\"\\u12\"}", "the JSON is not valid at byte 15"),
  Malformed(call("List", "{\"a\":[1,]}"), "the JSON is not valid at byte 55"),
  Malformed("{\"method\":\"a\nb\"}", "a string contains a control character"),
  Malformed("{\"method\":\"\\x\"}", "a string contains an unknown escape"),
  Malformed("{\"method\":\"\\ud800\"}", "a string contains an unpaired surrogate"),
  Malformed("{\"method\":\"\\udc00\\ud800\"}", "a string contains an unpaired surrogate"),
  Malformed("{\"method\":\"\\ud800\\u0041\"}", "a string contains an unpaired surrogate"),
  Malformed(Array("{\"method\":\"".utf8) + [0xff] + Array("\"}".utf8), "it is not valid UTF-8"),
  Malformed(
    Array("{\"method\":\"".utf8) + [0xed, 0xa0, 0x80] + Array("\"}".utf8), "it is not valid UTF-8"),
  Malformed(
    Array("{\"method\":\"".utf8) + [0xc0, 0x80] + Array("\"}".utf8), "it is not valid UTF-8"),
  Malformed("{}", "it has no member \"method\""),
  Malformed("{\"method\":null}", "it has no member \"method\""),
  Malformed("{\"method\":1}", "its member \"method\" must be of the type string"),
  Malformed(call("List", "[]"), "its member \"parameters\" must be of the type object"),
  Malformed(call("List", "\"\""), "its member \"parameters\" must be of the type object"),
  Malformed(call("List", nil, ",\"more\":1"), "its member \"more\" must be of the type boolean"),
  Malformed(
    call("List", nil, ",\"oneway\":\"true\""), "its member \"oneway\" must be of the type boolean"),
  Malformed(
    call("List", nil, ",\"upgrade\":{}"), "its member \"upgrade\" must be of the type boolean"),
  Malformed(
    call("List", nil, ",\"oneway\":true,\"more\":true"),
    "at most one of \"more\", \"oneway\" and \"upgrade\" may be true"),
  Malformed(
    call("List", nil, ",\"extra\":1"),
    "it has an unknown member; the members are method, parameters, more, oneway, upgrade"),
  Malformed(call("List", nil, ",\"method\":\"a\""), "an object has two members with the same name"),
  Malformed(
    call("Echo", "{\"text\":\"a\",\"t\\u0065xt\":\"b\"}"),
    "an object has two members with the same name"),
  Malformed(nested(64, "[", "]"), "it is nested more than 64 levels deep"),
  Malformed(nested(30_000, "[", "]"), "it is nested more than 64 levels deep"),
  Malformed(nested(9_000, "{\"a\":", "}"), "it is nested more than 64 levels deep"),
  Malformed(
    call("Echo", "{\"text\":\(String(repeating: "9", count: 401))}"),
    "a number has more than 400 digits"),
]

@Suite struct MalformedTests {
  let service: Service

  init() throws { service = try Service() }

  private func error(_ reason: String) -> String {
    let message = EncodedReply(
      VarlinkError("org.example.test.Malformed", ["message": "the message is malformed: \(reason)"])
    )
    return String(decoding: message.bytes.dropLast(), as: UTF8.self)
  }

  @Test func `A malformed message is answered with the reason, then the connection ends`() throws {
    for item in malformed {
      var wire = try Wire(service)
      try wire.send(echo("before"))
      try wire.send(item.bytes + [0])
      try wire.send(echo("after"))
      #expect(try wire.rest() == [echoed("before"), error(item.reason)], "\(item.testDescription)")
    }
    #expect(service.eventually { $0.server.clientCount == 0 })
  }

  @Test func `A message with the maximum nesting depth is accepted`() throws {
    var wire = try Wire(service)
    // The maximum is 64 levels. Two of them are the message and its parameters.
    try wire.send(nested(62, "[", "]"))
    #expect(try wire.next()?.contains("InvalidParameter") == true)
  }

  @Test func `A message may have at most 64 KiB`() throws {
    let empty = echo("").utf8.count
    let longest = String(repeating: "a", count: 65_536 - empty)
    var wire = try Wire(service)
    try wire.send(echo(longest))
    #expect(try wire.next() == echoed(longest))
    try wire.send(echo(longest + "a"))
    #expect(try wire.rest() == [error("it is longer than 65536 bytes")])
  }

  @Test func `The reason reaches a client that sends endlessly`() throws {
    var wire = try Wire(service)
    // The client sends until the server accepts no more, and only then reads.
    let sent = try wire.send(repeatElement(UInt8(ascii: "a"), count: 8 << 20))
    #expect(sent < 8 << 20)
    #expect(try wire.next() == error("it is longer than 65536 bytes"))
    #expect(service.eventually { $0.server.clientCount == 0 && $0.server.nextDeadline == nil })
  }

  @Test func `A message that ends without a NUL is answered with the reason`() throws {
    var wire = try Wire(service)
    try wire.send(echo("1"))
    try wire.send(Array(echo("2").utf8.dropLast()))
    wire.endSending()
    #expect(try wire.rest() == [echoed("1"), error("it ends without a NUL")])
  }

  @Test func `A client that does not read the reason is closed five seconds later`() throws {
    let wire = try Wire(service)
    try wire.send("garbage")
    #expect(service.eventually { $0.server.clientCount == 0 })
    let left = service.perform { ($0.server.nextDeadline ?? .max) - Clocks.boottime }
    #expect(left <= 5_000_000)
    service.perform { $0.timeOffset = 5_000_000 }
    #expect(service.eventually { $0.server.nextDeadline == nil })
    #expect(try wire.send(Array("more".utf8)) == 0)
  }
}
