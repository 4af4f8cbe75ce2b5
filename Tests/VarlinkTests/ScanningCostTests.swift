import Glibc
import TestSupport
import Testing

@testable import Varlink

/// The cost of a message must not depend on its content. The tests compare the processor time of
/// each message with that of a plain message of the same size.
@Suite struct ScanningCostTests {
  private static let size = 65_536

  private static func message(_ part: (Int) -> String) -> [UInt8] {
    var bytes = Array(#"{"method":"org.example.test.Echo","parameters":{"#.utf8)
    var number = 0
    while true {
      let member = Array((number == 0 ? "" : ",").utf8) + Array(part(number).utf8)
      guard bytes.count + member.count + 2 <= size else { break }
      bytes += member
      number += 1
    }
    return bytes + Array("}}".utf8)
  }

  private static func marks(_ count: Int, _ number: Int) -> String {
    // Combining marks of several classes in mixed order, which Unicode normalisation would have to
    // sort.
    var text = String.UnicodeScalarView()
    for place in 0..<count {
      let marks: [Unicode.Scalar] = ["\u{316}", "\u{301}", "\u{334}", "\u{35c}", "\u{345}"]
      text.append(marks[(place * 7 + number) % marks.count])
    }
    return String(text)
  }

  private static let plain = message { #""member \#($0)":"value \#($0)""# }

  private static func cost(_ bytes: [UInt8]) -> Int64 {
    (0..<7).map { _ in
      processorTime {
        for _ in 0..<4 {
          if let envelope = try? CallEnvelope(bytes[...]) { _ = try? CallMessage(envelope) }
        }
      }
    }.min() ?? 0
  }

  private static let bombs: [(String, [UInt8])] = [
    ("one name of combining marks", message { $0 == 0 ? "\"\(marks(32_000, 0))\":1" : fill }),
    ("long names of combining marks", message { #""\#($0)\#(marks(500, $0))":1"# }),
    ("short names of combining marks", message { #""\#($0)\#(marks(8, $0))":1"# }),
    (
      "escaped combining marks",
      message { #""\#($0)\#(String(repeating: #"\u0316\u0301"#, count: 40))":1"# }
    ),
    ("surrogates", message { #""\#($0)\#(String(repeating: #"\ud83d\ude00"#, count: 40))":1"# }),
    ("flags", message { #""\#($0)\#(String(repeating: "🇦🇧", count: 200))":1"# }),
    ("the shortest members", message { #""\#(String($0, radix: 36))":0"# }),
    (
      "deep lists",
      message {
        #""\#($0)":\#(String(repeating: "[", count: 60))\#(String(repeating: "]", count: 60))"#
      }
    ),
    ("long numbers", message { #""\#($0)":\#(String(repeating: "9", count: 399))"# }),
    (
      "one long list",
      message { $0 == 0 ? "\"a\":[\(String(repeating: "0,", count: 32_000))0]" : fill }
    ),
  ]

  /// A member that does not fit into the message, which ends `message`.
  private static let fill = String(repeating: "x", count: size)

  @Test func `No message costs much more than a plain one of the same size`() {
    let plain = Self.cost(Self.plain)
    for (name, bytes) in Self.bombs {
      let cost = Self.cost(bytes)
      print("\(name): \(bytes.count) bytes, \(cost / 4000) µs; plain: \(plain / 4000) µs")
      #expect(bytes.count > Self.size / 2)
      #expect(cost <= 5 * plain, "\(name)")
    }
  }

  /// A method's name may be any text, and is examined before the caller's permissions are checked.
  @Test func `No method name costs much more than a plain one of the same size`() throws {
    func cost(_ method: String) throws -> Int64 {
      let bytes = Array(#"{"method":"org.varlink.service.\#(method)"}"#.utf8)
      let service = ServiceInterface(
        vendor: "", product: "", version: "", url: "", interfaces: [.example])
      return (0..<7).map { _ in
        processorTime {
          for _ in 0..<4 {
            guard let envelope = try? CallEnvelope(bytes[...]) else { continue }
            try? service.check(envelope)
            if let message = try? CallMessage(envelope) { _ = service.reply(to: message) }
          }
        }
      }.min() ?? 0
    }
    let plain = try cost(String(repeating: "Method of no service", count: 3000))
    for name in [Self.marks(30_000, 0), String(repeating: "🇦🇧", count: 7500)] {
      #expect(try cost(name) <= 5 * plain)
      #expect(try cost("." + name) <= 5 * plain)
      #expect(try cost(name + ".") <= 5 * plain)
    }
  }
}
