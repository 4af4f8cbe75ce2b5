internal import Glibc
internal import Text

@testable import LinuxIO
@testable import TouchgridAPI
@testable import Varlink

/// Fuzzes the client with replies of a hostile daemon. The first byte chooses the method that the
/// client calls.
func fuzzClient(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  guard let connection = try? HostileDaemon(), let client = connection.client() else {
    fatalError("no connection")
  }
  var asker = Asker(client: client)
  connection.say(Array(source.rest.dropFirst()))
  asker.ask(source.byte())
}

/// A daemon that sends the input's bytes, whatever the client calls.
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

/// All methods of the interface that return data.
let askedMethods: [any Method.Type] = [
  API.WatchTouches.self,
  API.GetStatus.self,
  API.GetDevices.self,
  API.GetDisplays.self,
  API.SetDisplay.self,
  API.SetDisplayMode.self,
  API.GetScreen.self,
  API.SetScreen.self,
  API.BeginSession.self,
  API.EndSession.self,
  API.TagSession.self,
  API.Pause.self,
  API.Resume.self,
  API.GetMasks.self,
  API.AddMask.self,
  API.RemoveMask.self,
  API.GetControls.self,
  API.SetControls.self,
  API.AddResponse.self,
  API.ListSessions.self,
  API.ListDays.self,
  API.ListScreens.self,
  API.GetGrids.self,
  API.GetCounts.self,
  API.Forget.self,
  API.Follow.self,
  API.WatchActivity.self,
  API.Swallow.self,
  API.WatchCovers.self,
  API.SuspendGuard.self,
  API.ListGhosts.self,
]

/// Calls a method, receives every reply, and encodes it again.
private struct Asker: ~Copyable {
  var client: TouchgridClient

  mutating func ask(_ what: UInt8) {
    let method = askedMethods[Int(what) % askedMethods.count]
    hear(method)
  }

  private mutating func hear<M: Method>(_ method: M.Type) {
    while true {
      do throws(TouchgridError) {
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
