internal import Glibc

@testable import LinuxIO
@testable import TouchgridAPI
@testable import Varlink

/// What a daemon answers, or something that has taken its place. The first byte says what it was asked.
func fuzzClient(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  guard let connection = try? HostileDaemon(), let client = connection.client() else {
    fatalError("no connection")
  }
  var asker = Asker(client: client)
  connection.say(Array(source.rest.dropFirst()))
  asker.ask(source.byte())
}

/// Says what it likes, whatever it is asked.
private struct HostileDaemon: ~Copyable {
  private static let path = scratchFolder("client") + "/socket"
  private let listener: UnixListener

  init() throws { listener = try UnixListener(path: Self.path) }

  func client() -> TouchgridClient? {
    try? TouchgridClient(path: Self.path, timeout: .milliseconds(100))
  }

  func say(_ bytes: [UInt8]) {
    guard let accepted = try? listener.accept() else { fatalError("nobody has come") }
    let descriptor = FileDescriptor(owning: accepted)
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe write(descriptor.number, $0.baseAddress, $0.count)
      }
      guard count > 0 else { break }
      sent += count
    }
  }
}

/// Takes every reply that comes, and sends it on as it was understood.
private struct Asker: ~Copyable {
  var client: TouchgridClient

  mutating func ask(_ what: UInt8) {
    switch what % 19 {
    case 0: hear(API.WatchTouches.self)
    case 1: hear(API.GetStatus.self)
    case 2: hear(API.GetDevices.self)
    case 3: hear(API.GetDisplays.self)
    case 4: hear(API.SetDisplay.self)
    case 5: hear(API.GetScreen.self)
    case 6: hear(API.SetScreen.self)
    case 7: hear(API.BeginSession.self)
    case 8: hear(API.EndSession.self)
    case 9: hear(API.TagSession.self)
    case 10: hear(API.Pause.self)
    case 11: hear(API.Resume.self)
    case 12: hear(API.GetMasks.self)
    case 13: hear(API.AddMask.self)
    case 14: hear(API.RemoveMask.self)
    case 15: hear(API.ListSessions.self)
    case 16: hear(API.ListDays.self)
    case 17: hear(API.ListScreens.self)
    default: hear(API.GetGrids.self)
    }
  }

  private mutating func hear<M: Method>(_ method: M.Type) {
    while true {
      do throws(ClientError) {
        guard let (reply, _) = try client.receive(method, within: .zero) else { return }
        check(reply)
      } catch {
        must(!"\(error)".isEmpty, "an error has words")
        if case .closed = error { return }
        if case .system = error { return }
      }
    }
  }

  private func check<Reply: Codable & Hashable>(_ reply: Reply) {
    guard let object = JSON.encodedObject(reply) else { fatalError("\(reply) is no JSON") }
    let again = try? JSON.decode(Reply.self, from: object[...])
    must(again == reply, "\(reply) is understood otherwise when it is sent on")
  }
}
