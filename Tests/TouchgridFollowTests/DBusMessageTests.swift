import TestSupport
import Testing

@testable import TouchgridFollow

@Suite struct DBusMessageTests {
  private let call = DBusMessage.call(
    "Get", of: "org.a.B", at: "/a/b", on: ":1.5",
    [.text("é"), .number(7), .texts(["x", "yz"])], serial: 9)

  @Test func `A call is read as it was written`() throws {
    var bytes = (call + call + call.dropLast())[...]
    for _ in 0..<2 {
      let message = try #require(try DBusMessage.takeFirst(&bytes))
      #expect(message.kind == .call)
      #expect(message.path == "/a/b")
      #expect(message.interface == "org.a.B")
      #expect(message.member == "Get")
      var reader = try #require(message.reader("suas"))
      #expect(reader.text() == "é")
      #expect(reader.number() == 7)
      #expect(reader.array(alignment: 4, limit: 2) { $0.text() } == ["x", "yz"])
      #expect(message.reader("s") == nil)
    }
    #expect(try DBusMessage.takeFirst(&bytes) == nil)
    #expect(bytes.count == call.count - 1)
  }

  @Test func `A reply in big-endian order is read`() throws {
    let fields: [UInt8] = [5, 1, 0x75, 0, 0, 0, 0, 9, 8, 1, 0x67, 0, 1, 0x75, 0]
    let reply: [UInt8] =
      [0x42, 2, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, UInt8(fields.count)] + fields
      + [0, 0, 0, 1, 2]
    var bytes = reply[...]
    let message = try #require(try DBusMessage.takeFirst(&bytes))
    #expect(message.answers == 9)
    var reader = try #require(message.reader("u"))
    #expect(reader.number() == 258)
    #expect(bytes.isEmpty)
  }

  @Test func `An array has at most as many elements as allowed`() throws {
    var bytes = call[...]
    let message = try #require(try DBusMessage.takeFirst(&bytes))
    var reader = try #require(message.reader("suas"))
    _ = reader.text()
    _ = reader.number()
    #expect(reader.array(alignment: 4, limit: 1) { $0.text() } == nil)
  }

  @Test func `Damaged messages are refused or read, and do no harm`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      var damaged = call
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: damaged.indices, using: &random)
        damaged[index] = UInt8.random(in: 0...255, using: &random)
      }
      var bytes = damaged[...]
      guard let message = try? DBusMessage.takeFirst(&bytes) else { continue }
      var reader = DBusReader(message.body, isBigEndian: message.isBigEndian)
      _ = reader.text()
      _ = reader.number()
      _ = reader.array(alignment: 8, limit: 10) { $0.align(8) ? $0.text() : nil }
      _ = reader.signature()
    }
  }

  @Test func `Only unique names of a bus are called`() {
    for name in [":1.5", ":1.42"] {
      #expect(AccessibleReference(program: name, path: "/").isValid)
    }
    for name in ["", ":", ":1", "1.5", ":1..5", ":.5", ":1.", ":1.a", ":1.5\0", "org.a"] {
      #expect(!AccessibleReference(program: name, path: "/").isValid)
    }
    #expect(DBusConnection.unescaped("/tmp/a%2db") == "/tmp/a-b")
    #expect(DBusConnection.unescaped("/tmp/a%2") == nil)
  }
}
