import LinuxIO

@testable import Varlink

/// How long, in µs, to wait for the server: longer than a busy machine makes it wait.
private let patience: Int64 = 60_000_000

/// A client that sends arbitrary bytes, and returns the received messages as text.
struct Wire: ~Copyable {
  let stream: UnixStream
  private var received = InputBuffer(limit: 1 << 28)
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(_ service: Service) throws { try self.init(path: service.path) }

  init(path: String) throws {
    stream = try UnixStream(connectingTo: path, within: patience)
  }

  /// Sends the bytes. Stops if the server has closed the connection or accepts nothing.
  /// - Returns: The number of bytes that were sent.
  @discardableResult
  func send(_ bytes: some Sequence<UInt8>) throws -> Int {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      switch try stream.send(bytes[sent...]) {
      case .moved(let count): sent += count
      case .wouldBlock:
        guard try stream.wait(forOutput: true, within: patience) else { return sent }
      case .ended: return sent
      }
    }
    return sent
  }

  /// Sends a message with its NUL.
  func send(_ message: String) throws { try send(Array(message.utf8) + [0]) }

  /// Returns the next message without its NUL; nil at the end of the stream or after the timeout.
  mutating func next(within microseconds: Int64 = patience) throws -> String? {
    while true {
      if case .message(let bytes) = received.next() {
        return String(decoding: bytes, as: UTF8.self)
      }
      guard try fill(microseconds) else { return nil }
    }
  }

  /// Returns all messages up to the end of the stream; nil if nothing arrives before that.
  mutating func rest() throws -> [String]? {
    var messages: [String] = []
    while true {
      if case .message(let bytes) = received.next() {
        messages.append(String(decoding: bytes, as: UTF8.self))
      } else if try stream.wait(within: patience) == false {
        return nil
      } else if try !fill(0) {
        if !received.isEmpty { messages.append("partly: \(received.count)") }
        return messages
      }
    }
  }

  private mutating func fill(_ microseconds: Int64) throws -> Bool {
    while true {
      switch try stream.receive(into: &buffer) {
      case .moved(let count):
        received.append(buffer[..<count])
        return true
      case .ended: return false
      case .wouldBlock: guard try stream.wait(within: microseconds) else { return false }
      }
    }
  }

  func endSending() { stream.endSending() }
}

func call(_ method: String, _ parameters: String? = nil, _ flags: String = "") -> String {
  let parameters = parameters.map { #","parameters":\#($0)"# } ?? ""
  return #"{"method":"org.example.test.\#(method)"\#(parameters)\#(flags)}"#
}

func echo(_ text: String) -> String { call("Echo", #"{"text":"\#(text)"}"#) }

func echoed(_ text: String) -> String { #"{"parameters":{"text":"\#(text)"}}"# }
