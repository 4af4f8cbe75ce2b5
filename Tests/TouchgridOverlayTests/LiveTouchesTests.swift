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
  /// The path of a socket in a temporary folder, at which a test may listen.
  private final class Place {
    let folder: TemporaryFolder
    var path: String { folder.path("socket") }
    private var descriptors: [Int32] = []

    init() throws { folder = try TemporaryFolder() }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Binds a socket to the path, and listens on it.
    func listen() throws -> Int32 {
      unsafe unlink(path)
      let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      descriptors.append(socket)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        for (index, byte) in path.utf8.enumerated() { unsafe bytes[index] = byte }
      }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let bound = unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(socket, $0, size)
        }
      }
      try #require(bound == 0)
      try #require(Glibc.listen(socket, 8) == 0)
      return socket
    }

    /// Accepts a client that has connected.
    func accept(_ socket: Int32) throws -> Int32 {
      let client = Glibc.accept(socket, nil, nil)
      try #require(client >= 0)
      descriptors.append(client)
      return client
    }
  }

  private static let frame = Array(
    #"{"parameters":{"atUs":1,"touches":[]},"continues":true}"#.utf8 + [0])

  /// Runs the main loop until a condition holds, or until this time has passed.
  /// - Returns: Whether the condition holds.
  private func turn(_ milliseconds: Int, until isDone: () -> Bool) -> Bool {
    var late = false
    let limit = Source(afterMilliseconds: milliseconds) { late = true }
    return withExtendedLifetime(limit) {
      while !late, !isDone() { g_main_context_iteration(nil, 1) }
      return isDone()
    }
  }

  @Test func `All frames that were read are delivered`() throws {
    let place = try Place()
    let socket = try place.listen()
    var frames = 0
    let touches = try LiveTouches(path: place.path) { if case .frame = $0 { frames += 1 } }
    touches.start()
    let client = try place.accept(socket)
    let bytes = (0..<500).flatMap { _ in Self.frame }
    #expect(unsafe send(client, bytes, bytes.count, 0) == bytes.count)
    #expect(turn(5000) { frames == 500 })
    // After the client has caught up, it waits for further frames.
    #expect(unsafe send(client, Self.frame, Self.frame.count, 0) == Self.frame.count)
    #expect(turn(5000) { frames == 501 })
  }

  @Test func `A daemon that sends without pause does not block the main loop`() throws {
    let place = try Place()
    let socket = try place.listen()
    var (frames, most) = (0, 0)
    let touches = try LiveTouches(path: place.path) { if case .frame = $0 { frames += 1 } }
    touches.start()
    let client = try place.accept(socket)
    let bytes = (0..<200).flatMap { _ in Self.frame }
    var ended = false
    let end = Source(afterMilliseconds: 300) { ended = true }
    withExtendedLifetime(end) {
      while !ended {
        // Fill the socket, so that it never becomes empty.
        while unsafe send(client, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
        let before = frames
        g_main_context_iteration(nil, 1)
        most = max(most, frames - before)
        if frames > 1_000_000 { break }
      }
    }
    #expect(ended)
    #expect(most > 0 && most <= 64)
  }

  @Test func `A new socket is found at once, despite other events in its folder`() throws {
    let place = try Place()
    var (attempts, isConnected) = (0, false)
    let touches = try LiveTouches(path: place.path) {
      switch $0 {
      case .lost: attempts += 1
      case .connected: isConnected = true
      case .frame, .refused: break
      }
    }
    touches.start()
    // After five attempts, the next delay is 1.6 s, which is longer than the following checks.
    #expect(turn(5000) { attempts == 5 })
    let other = place.folder.path("other")
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
    #expect(!turn(300) { attempts > 5 })
    // Events of the socket's file lead to an attempt every 50 ms, regardless of that delay.
    close(unsafe creat(place.path, 0o600))
    blow(place.path)
    #expect(turn(1000) { attempts >= 8 })
    _ = try place.listen()
    #expect(turn(1000) { isConnected })
    withExtendedLifetime(storm) {}
  }

  @Test func `Without a daemon, the attempts to connect end after a while`() throws {
    let place = try Place()
    var (attempts, isConnected) = (0, false)
    let touches = try LiveTouches(path: place.path, delay: RetryDelay(shortest: 10, longest: 40)) {
      if case .lost = $0 { attempts += 1 }
      if case .connected = $0 { isConnected = true }
    }
    touches.start()
    // The first attempt comes immediately, the others after delays of 10, 20 and 40 ms.
    #expect(turn(1000) { attempts == 4 })
    #expect(!turn(200) { attempts > 4 })
    _ = try place.listen()
    #expect(turn(1000) { isConnected })
  }

  @Test func `After the socket's folder is removed, attempts continue until it is back`() throws {
    let place = try Place()
    var (attempts, isConnected) = (0, false)
    let touches = try LiveTouches(path: place.path, delay: RetryDelay(shortest: 10, longest: 40)) {
      if case .lost = $0 { attempts += 1 }
      if case .connected = $0 { isConnected = true }
    }
    touches.start()
    #expect(turn(1000) { attempts == 4 })
    #expect(unsafe rmdir(place.folder.path) == 0)
    // Nothing reports the folder's removal, so the timer triggers the attempts.
    #expect(turn(1000) { attempts > 8 })
    unsafe mkdir(place.folder.path, 0o700)
    _ = try place.listen()
    #expect(turn(1000) { isConnected })
  }
}
