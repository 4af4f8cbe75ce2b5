import CGTK
import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchgridAPI

@testable import TouchgridOverlay

/// Receiving live touches from a daemon. The tests are serialized, because there is only one main
/// loop.
@Suite(.serialized) @MainActor struct LiveTouchesTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("socket") }

  init() throws { folder = try TemporaryFolder() }

  /// A client, and what it has reported.
  @MainActor private final class Client {
    private(set) var frames = 0
    private(set) var attempts = 0
    private(set) var isConnected = false
    private var touches: LiveTouches?

    init(at path: String, delay: RetryDelay = RetryDelay()) throws {
      touches = try LiveTouches(API.WatchTouches(), path: path, delay: delay) { [unowned self] in
        switch $0 {
        case .reply: frames += 1
        case .lost: attempts += 1
        case .connected: isConnected = true
        case .refused: break
        }
      }
      touches?.start()
    }
  }

  private static let frame = Array(
    #"{"parameters":{"atUs":1,"touches":[]},"continues":true}"#.utf8 + [0])

  /// Runs the main loop until a condition holds, or until this time has passed.
  /// - Returns: Whether the condition holds.
  private func turn(atMost milliseconds: Int = 60_000, until isDone: () -> Bool) -> Bool {
    var late = false
    let limit = Source(afterMilliseconds: milliseconds) { late = true }
    return withExtendedLifetime(limit) {
      while !late, !isDone() { g_main_context_iteration(nil, 1) }
      return isDone()
    }
  }

  @Test func `All frames that were read are delivered`() throws {
    let listener = try UnixListener(path: path)
    let client = try Client(at: path)
    let peer = UnixStream(owning: try #require(try listener.accept()))
    let bytes = (0..<500).flatMap { _ in Self.frame }
    #expect(unsafe send(peer.descriptor, bytes, bytes.count, 0) == bytes.count)
    #expect(turn { client.frames == 500 })
    // After the client has caught up, it waits for further frames.
    #expect(unsafe send(peer.descriptor, Self.frame, Self.frame.count, 0) == Self.frame.count)
    #expect(turn { client.frames == 501 })
  }

  @Test func `A daemon that sends without pause does not block the main loop`() throws {
    let listener = try UnixListener(path: path)
    let client = try Client(at: path)
    let peer = UnixStream(owning: try #require(try listener.accept()))
    let bytes = (0..<200).flatMap { _ in Self.frame }
    var (most, ended) = (0, false)
    let end = Source(afterMilliseconds: 300) { ended = true }
    withExtendedLifetime(end) {
      while !ended {
        // Fill the socket, so that it never becomes empty.
        while unsafe send(peer.descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
        let before = client.frames
        g_main_context_iteration(nil, 1)
        most = max(most, client.frames - before)
        if client.frames > 1_000_000 { break }
      }
    }
    #expect(ended)
    #expect(most > 0 && most <= 64)
  }

  @Test func `A new socket is found at once, despite other events in its folder`() throws {
    // By itself, the client tries again only after a minute.
    let client = try Client(at: path, delay: RetryDelay(shortest: 60_000, longest: 120_000))
    #expect(turn { client.attempts == 1 })
    let other = folder.path("other")
    close(unsafe creat(other, 0o600))
    var storm: Source?
    func blow(_ path: String) {
      storm = Source(afterMilliseconds: 5) {
        unsafe chmod(path, 0o600)
        blow(path)
      }
    }
    // Events of another file have no effect.
    blow(other)
    #expect(!turn(atMost: 300) { client.attempts > 1 })
    // Events of the socket's file lead to an attempt every 50 ms, regardless of that delay.
    close(unsafe creat(path, 0o600))
    blow(path)
    #expect(turn { client.attempts >= 4 })
    unsafe unlink(path)
    let listener = try UnixListener(path: path)
    #expect(turn { client.isConnected })
    withExtendedLifetime(storm) {}
    _ = listener.descriptor
  }

  @Test(arguments: [false, true])
  func `Attempts end after a while, unless the socket's folder is gone`(isGone: Bool) throws {
    let client = try Client(at: path, delay: RetryDelay(shortest: 10, longest: 40))
    // The first attempt comes immediately, the others after delays of 10, 20 and 40 ms.
    #expect(turn { client.attempts == 4 })
    if isGone {
      #expect(unsafe rmdir(folder.path) == 0)
      // Nothing reports the folder's removal, so the timer triggers the attempts.
      #expect(turn { client.attempts > 8 })
    } else {
      #expect(!turn(atMost: 200) { client.attempts > 4 })
    }
    let listener = try UnixListener(path: path)
    #expect(turn { client.isConnected })
    _ = listener.descriptor
  }
}
