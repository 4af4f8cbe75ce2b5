internal import Glibc

@testable import LinuxIO
@testable import Recordings
@testable import Storage
@testable import Text
@testable import TouchModel
@testable import TouchgridAPI
@testable import TouchgridDaemon
@testable import Varlink

/// Fuzzes the daemon's server with messages from a client. The daemon has a panel with one touch
/// down, an open session, and a store with one session. The first byte of the input chooses the
/// client's role.
func fuzzServer(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  let peer = source.choice(Peer.allCases)
  guard let daemon = try? ServedDaemon() else { fatalError("the daemon cannot be made") }
  let books = daemon.books
  let replies = daemon.answer(Array(source.rest), peer.credentials)
  for reply in replies {
    let message: ReplyMessage
    do throws(MalformedMessage) { message = try ReplyMessage(reply) } catch {
      fatalError("\(error.reason): \(String(decoding: reply, as: UTF8.self))")
    }
    guard peer == .stranger, message.error == nil else { continue }
    // A stranger may only get what every Varlink service tells about itself.
    let members = (try? JSONScanner.members(of: message.parameters).map(\.name.text)) ?? []
    must(
      members == ["description"] || members.contains("vendor"),
      "a stranger was told \(String(decoding: reply, as: UTF8.self))")
  }
  if peer != .app, peer != .owner {
    must(daemon.books == books, "a client that may only look has changed something")
  }
  daemon.end()
}

/// The client's role. `ServedDaemon` gives each role to the group that `credentials` has for it.
private enum Peer: CaseIterable {
  case owner, app, read, watch, signal, operate, stranger

  var credentials: PeerCredentials {
    let group: UInt32 =
      switch self {
      case .owner: 0
      // These groups are daemon, bin, sys, adm and tty, which exist on Debian and on any other system.
      case .app: 1
      case .read: 2
      case .watch: 3
      case .signal: 4
      case .operate: 5
      case .stranger: 65_534
      }
    return PeerCredentials(process: 1, user: self == .owner ? geteuid() : 65_534, group: group)
  }
}

/// A daemon without an event loop.
private final class ServedDaemon {
  private static let folder = scratchFolder("server")
  nonisolated(unsafe) private static let storage = try? makeStorage()
  nonisolated(unsafe) private static let reader = try? Store(reading: folder + "/touchgrid.db")

  private let capture: Capture
  private let service: Service
  private var poller: Poller
  private let panel: ReplayPanel
  private var now = Moment.now

  init() throws {
    guard let storage = unsafe Self.storage, let reader = unsafe Self.reader else {
      throw Missing()
    }
    // An earlier input may have made the daemon forget the session.
    if try reader.sessions(in: .always).isEmpty { storage.store(try Self.session) }
    var configuration = Configuration()
    configuration.roles = .init()
    (configuration.roles.app, configuration.roles.read, configuration.roles.watch) =
      ("daemon", "bin", "sys")
    configuration.roles.signal = "adm"
    configuration.roles.operate = "tty"
    capture = Capture(
      rules: configuration.sessionRules,
      assignment: DisplayAssignment(configuration: configuration), connectors: { [] },
      firstSession: storage.firstSession, mint: storage.mint, storage: CheckedRecords(), log: quiet)
    panel = try ReplayPanel(
      Recording(description: touchscreen(slots: 10)), number: 0, path: "panel")
    service = try Service(
      try UnixListener(path: Self.folder + "/socket"), configuration: configuration,
      capture: capture, storage: storage, devices: ReplayedDevices([panel]), log: quiet)
    poller = try Poller()
    try service.start(poller: &poller)
    try panel.attach(to: capture, at: now)
    for (code, value) in [
      (AbsCode.mtTrackingID, 1), (AbsCode.mtPositionX, 500), (AbsCode.mtPositionY, 300),
    ] as [(UInt16, Int32)] {
      send(EventType.abs, code, value)
    }
    send(EventType.syn, SynCode.report, 0)
    capture.advance(to: now)
  }

  private func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    panel.process(
      InputEvent(time: now.monotonic, type: type, code: code, value: value), at: now)
  }

  /// The daemon's state that only clients with the role `app` or `owner` may change.
  var books: Books {
    Books(
      revision: capture.recorder.revision, session: capture.recorder.current,
      isPaused: capture.recorder.isPaused, masks: capture.recorder.masks,
      screen: capture.recorder.screen(), tally: capture.recorder.tally)
  }

  struct Books: Equatable {
    var revision: Int
    var session: Int64?
    var isPaused: Bool
    var masks: Masks
    var screen: String?
    var tally: SessionRecorder.DeviceTally
  }

  /// Returns all replies that a client gets for these bytes.
  func answer(_ bytes: [UInt8], _ peer: PeerCredentials) -> [ArraySlice<UInt8>] {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0,
      let server = service.server
    else { fatalError("no pair of sockets") }
    let client = FileDescriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    // Add the connection directly, with a token beyond those of accepted connections. An accepted
    // connection would have the credentials of this process, which is the owner.
    let token = Service.firstToken + 1 << 20
    let connection = Connection(
      id: ConnectionID(token: token), peer: peer, privilege: server.policy.privilege(of: peer),
      stream: UnixStream(owning: ends[0]), limits: server.limits)
    server.connections[token] = connection
    server.closeOrUpdateInterest(connection, poller: &poller)
    var sent = 0
    var heard: [UInt8] = []
    var ready: [Poller.Ready] = []
    var idle = 0
    while server.connections[token] != nil, idle < 20 {
      let progress = (sent, heard.count)
      if sent < bytes.count {
        sent += max(
          0,
          unsafe bytes[sent...].withUnsafeBytes {
            unsafe write(client.number, $0.baseAddress, $0.count)
          })
        if sent == bytes.count { shutdown(client.number, Int32(SHUT_WR)) }
      }
      // Replies from the store come from another thread.
      try? poller.wait(into: &ready, atMost: idle == 0 ? 0 : 5)
      // The server serves clients without a role only once per `turnMicroseconds`.
      now = now.later(server.limits.withoutRole.turnMicroseconds)
      service.serve(ready, poller: &poller, at: now)
      capture.advance(to: now)
      read(client.number, into: &heard)
      let isBusy = !ready.isEmpty || server.hasWork || (sent, heard.count) != progress
      idle = isBusy ? 0 : idle + 1
      // A client that watches never gets a last reply.
      if sent == bytes.count, idle > 2, service.isIdle { break }
    }
    read(client.number, into: &heard)
    return heard.split(separator: 0)
  }

  private func read(_ descriptor: Int32, into heard: inout [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = unsafe Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
      heard += buffer[..<count]
    }
  }

  func end() {
    panel.finish(at: now)
    capture.stop(at: now)
    service.stop(poller: &poller)
  }

  private static var session: SessionRecord {
    get throws { try sampleSession(1, began: 1_714_521_600_000) }
  }

  /// Makes a store with one session, which all inputs share: their own sessions are not stored.
  private static func makeStorage() throws -> StorageSink {
    let path = folder + "/touchgrid.db"
    let store = try Store(path: path)
    try store.write(session)
    var configuration = Configuration.Store()
    configuration.path = path
    configuration.keepSessions = .max
    return try StorageSink(configuration, movesDamagedAside: false, log: quiet)
  }
}

extension Service {
  /// Whether no query is waiting for its answer.
  fileprivate var isIdle: Bool { pendingQueries.isEmpty }
}

private struct Missing: Error {}
