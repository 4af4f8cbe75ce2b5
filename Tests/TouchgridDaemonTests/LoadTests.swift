import Foundation
import Glibc
import LinuxIO
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

/// Many concurrent clients, most of them misbehaving. The test measures times, so `scripts/test`
/// runs it alone.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["TOUCHGRID_LOAD"] != nil))
struct LoadTests {
  /// The behaviour of a bad client.
  private enum Misdeed: CaseIterable {
    /// Watches touches and never reads. It is cut off and connects again.
    case readsNothing
    /// Calls a method again and again and never reads the replies.
    case asksOnly
    case garbage
    case oversized
    /// Sends half a message and waits.
    case half
    /// Sends an endless message, a byte at a time.
    case endless
    /// Disconnects in the middle of a message.
    case vanishes

    /// Misbehaves on a connection until `end`.
    func commit(on socket: Int32, until end: ContinuousClock.Instant) {
      let status = Array("{\"method\":\"io.touchgrid.GetStatus\"}\0".utf8)
      switch self {
      case .readsNothing:
        send(Array("{\"method\":\"io.touchgrid.WatchTouches\",\"more\":true}\0".utf8), to: socket)
        stay(on: socket, until: end)
      case .asksOnly: while ContinuousClock.now < end, send(status, to: socket) {}
      case .garbage: send((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 97) }, to: socket)
      case .oversized: send(Array(repeating: UInt8(ascii: "["), count: 100_000), to: socket)
      case .half:
        send(Array(status.prefix(20)), to: socket)
        stay(on: socket, until: end)
      case .endless:
        while ContinuousClock.now < end, send([UInt8(ascii: " ")], to: socket) { usleep(1000) }
      case .vanishes: send(Array(status.prefix(25)), to: socket)
      }
    }

    private func stay(on socket: Int32, until end: ContinuousClock.Instant) {
      while ContinuousClock.now < end, !isGone(socket) { usleep(50_000) }
    }

    private func isGone(_ socket: Int32) -> Bool {
      var poll = pollfd(fd: socket, events: 0, revents: 0)
      return unsafe Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP) != 0
    }

    @discardableResult
    private func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
      // This cannot block the test forever if the daemon no longer reads: `connect` has set a
      // timeout of 2 s for sending (`SO_SNDTIMEO`).
      unsafe Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
  }

  @Test func `Among 64 mostly bad clients, good ones are answered within 50 ms`() async throws {
    let touches = 120
    let daemon = try RunningDaemon(
      playing: taps(touches, every: 30_000), keepsRealTime: true)
    let path = daemon.socket
    let end = ContinuousClock.now + .seconds(12)
    let goodClients = 16
    // One connection is left for `RunningDaemon`, which checks whether the daemon answers.
    let badClients = 64 - goodClients - 1

    let bad = (0..<badClients).map { number in
      Thread {
        // 32 of the 64 clients never read the replies that they ask for (the first two misdeeds).
        let (silent, others) = (Misdeed.allCases.prefix(2), Misdeed.allCases.dropFirst(2))
        let misdeed =
          number < 32
          ? silent[number % silent.count] : others[others.startIndex + number % others.count]
        while ContinuousClock.now < end {
          guard let socket = Self.connect(path) else {
            usleep(20_000)
            continue
          }
          misdeed.commit(on: socket, until: end)
          close(socket)
          usleep(5000)
        }
      }
    }
    bad.forEach { $0.start() }
    usleep(500_000)

    var answers: [Duration] = []
    var failures = 0
    try await withThrowingTaskGroup(of: ([Duration], Int).self) { group in
      for number in 0..<goodClients {
        group.addTask {
          await Self.onThread {
            var times: [Duration] = []
            var failures = 0
            while ContinuousClock.now < end {
              guard var client = try? TouchgridClient(path: path) else {
                // All connections may be in use for a moment. The daemon then replies with an
                // error.
                failures += 1
                usleep(10_000)
                continue
              }
              while ContinuousClock.now < end {
                let start = ContinuousClock.now
                guard (try? client.call(API.GetStatus())) != nil else {
                  failures += 1
                  break
                }
                times.append(.now - start)
                if number % 2 == 0 { _ = try? client.call(API.SetScreen(name: "screen \(number)")) }
                usleep(20_000)
              }
            }
            return (times, failures)
          }
        }
      }
      for try await (times, failed) in group {
        answers += times
        failures += failed
      }
    }
    answers.sort()
    let worst = try #require(answers.dropLast(answers.count / 100).last)
    print(
      "load: \(answers.count) answers, \(failures) refusals; median \(answers[answers.count / 2]), "
        + "99th percentile \(worst), longest \(answers[answers.count - 1])")
    // Some failures are allowed, because bad clients that are cut off keep their connections until
    // they disconnect.
    #expect(answers.count > 1000 && failures < answers.count / 100)
    #expect(worst <= .milliseconds(50))

    let isOver = within(seconds: 30) { !daemon.process.isRunning }
    #expect(isOver)
    let session = try #require(try Store(reading: daemon.store).sessions(in: .always).first)
    let totals = session.record.totals
    #expect(totals.begun == UInt64(touches) && totals.counted == UInt64(touches))
    #expect(totals.isBalanced && totals.drops == 0)
  }

  private static func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: body()) }.start()
    }
  }

  private static func connect(_ path: String) -> Int32? {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    var timeout = timeval(tv_sec: 2, tv_usec: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      close(socket)
      return nil
    }
    return socket
  }
}
