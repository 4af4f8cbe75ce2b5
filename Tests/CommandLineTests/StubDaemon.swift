import Foundation
import LinuxIO
import Synchronization
import TestSupport
import TouchgridAPI
import Varlink

/// A daemon that gives prepared answers over a real socket.
final class StubDaemon: Sendable {
  /// The answer to a method.
  enum Answer: Sendable {
    case replies([EncodedReply])
    case error(VarlinkError)
    /// No answer until the client disconnects.
    case silence
    /// An answer that depends on the call.
    case asked(@Sendable (Call) throws(VarlinkError) -> Answer)

    static func reply(_ reply: some Encodable) -> Answer { .replies([EncodedReply(reply)]) }

    /// Replies of which none is the last.
    static func stream(_ replies: [some Encodable]) -> Answer {
      .replies(replies.map { EncodedReply($0, continues: true) })
    }

    static func fault(_ fault: some Fault) -> Answer { .error(fault.varlinkError) }
  }

  typealias Answers = [String: @Sendable (Call) throws(VarlinkError) -> Answer]

  let path: String
  private let shared: Shared

  convenience init(in folder: TemporaryFolder, _ answers: Answers) throws {
    try self.init(in: folder, answers.mapValues { .asked($0) })
  }

  init(in folder: TemporaryFolder, _ answers: [String: Answer]) throws {
    path = folder.path("socket")
    shared = try Shared()
    let server = Server(
      listener: try UnixListener(path: path), vendor: "test", product: "stub", version: "1",
      url: "",
      interfaces: [.touchgrid], errors: .touchgrid)
    var poller = try Poller()
    try poller.add(shared.wakeUp.descriptor, token: 1)
    try server.start(poller: &poller)
    let box = Box(server: server, poller: poller)
    Thread { [shared] in shared.loop(box, answers) }.start()
  }

  deinit {
    shared.isOver.store(true, ordering: .relaxed)
    shared.wakeUp.ring()
  }

  /// The short names of the methods that were called.
  var called: [String] { shared.methods.withLock { $0 } }

  /// A box for values that one thread hands over to another and never touches again.
  private final class Box: @unchecked Sendable {
    let server: Server
    var poller: Poller
    init(server: Server, poller: consuming Poller) {
      self.server = server
      self.poller = poller
    }
  }

  /// State shared by the test and the daemon's thread.
  private final class Shared: Sendable {
    let wakeUp: WakeUp
    let isOver = Atomic(false)
    let methods = Mutex<[String]>([])

    init() throws { wakeUp = try WakeUp() }

    func loop(_ box: Box, _ answers: [String: Answer]) {
      var ready: [Poller.Ready] = []
      while !isOver.load(ordering: .relaxed) {
        do { try box.poller.wait(into: &ready) } catch { return }
        for event in ready where box.server.owns(event.token) {
          box.server.handle(event, poller: &box.poller)
        }
        repeat {
          box.server.serve(poller: &box.poller, at: Clocks.boottime) { event in
            if case .call(let call) = event { answer(call, box.server, answers) }
          }
        } while box.server.hasWork
      }
      box.server.stop(poller: &box.poller)
    }

    private func answer(_ call: Call, _ server: Server, _ answers: [String: Answer]) {
      let short = String(call.method.dropFirst(API.interface.count + 1))
      methods.withLock { $0.append(short) }
      do throws(VarlinkError) {
        guard var answer = answers[short] else { throw .methodNotImplemented(call.method) }
        while case .asked(let body) = answer { answer = try body(call) }
        switch answer {
        case .replies(let replies): for reply in replies { server.send(reply, to: call.id) }
        case .error(let error): throw error
        case .silence, .asked: break
        }
      } catch {
        server.send(EncodedReply(error), to: call.id)
      }
    }
  }
}
