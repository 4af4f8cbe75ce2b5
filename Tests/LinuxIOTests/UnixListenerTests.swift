import Foundation
import LinuxIO
import Synchronization
import TestSupport
import Testing

@Suite final class UnixListenerTests: FolderSuite {
  private var path: String { folder.path("socket") }

  /// Tries to create a socket. Returns the error; nil if it succeeds.
  private func failure(_ path: String) -> SystemError? {
    do throws(SystemError) {
      _ = try UnixListener(path: path)
      return nil
    } catch {
      return error
    }
  }

  private func exists(_ path: String) -> Bool { mode(path) != nil }

  @Test func `Any user may connect, and the socket's file is removed with the listener`() throws {
    do {
      let listener = try UnixListener(path: path)
      #expect(mode(path) == S_IFSOCK | 0o666)
      #expect(fcntl(listener.descriptor, F_GETFL) & O_NONBLOCK != 0)
      #expect(fcntl(listener.descriptor, F_GETFD) & FD_CLOEXEC != 0)
      #expect(try listener.accept() == nil)
      let client = try UnixStream(connectingTo: path, within: 1_000_000)
      let accepted = UnixStream(owning: try #require(try listener.accept()))
      let peer = try PeerCredentials(of: accepted.descriptor)
      #expect(peer.process == getpid())
      #expect(peer.user == geteuid())
      #expect(fcntl(accepted.descriptor, F_GETFL) & O_NONBLOCK != 0)
      #expect(fcntl(accepted.descriptor, F_GETFD) & FD_CLOEXEC != 0)
      guard case .moved(2) = try client.send([1, 2]) else {
        Issue.record("it was not sent")
        return
      }
    }
    #expect(!exists(path))
  }

  @Test func `The mode of the socket does not depend on the umask`() async {
    await #expect(processExitsWith: .success) {
      umask(0o077)
      let folder = try TemporaryFolder()
      let path = folder.path("socket")
      let listener = try UnixListener(path: path)
      let isRight = mode(path) == S_IFSOCK | 0o666
      listener.remove()
      try FileManager.default.removeItem(atPath: folder.path)
      // The process's umask must be unchanged.
      exit(isRight && umask(0) == 0o077 ? 0 : 1)
    }
  }

  @Test func `A missing folder is created, but not its parents`() throws {
    _ = try UnixListener(path: folder.path + "/one/socket")
    #expect(failure(folder.path + "/two/three/socket")?.code == ENOENT)
  }

  @Test func `The socket of a dead daemon is replaced, that of a live one is not`() throws {
    let live = try UnixListener(path: path)
    let error = failure(path)
    #expect(error?.code == EADDRINUSE)
    #expect(
      error?.context
        == "creating the socket \(path) (another program uses it; stop that program)")
    _ = try UnixStream(connectingTo: path, within: 1_000_000)

    // Makes the socket's file outlive its listener.
    try FileManager.default.moveItem(atPath: path, toPath: path + "2")
    _ = consume live
    try FileManager.default.moveItem(atPath: path + "2", toPath: path)
    #expect(exists(path))
    let next = try UnixListener(path: path)
    _ = try UnixStream(connectingTo: path, within: 1_000_000)
    next.remove()
    #expect(!exists(path))
  }

  @Test func `The socket of a daemon whose queue is full is not replaced`() throws {
    let live = try UnixListener(path: path)
    listen(live.descriptor, 0)
    let first = try UnixStream(connectingTo: path, within: 1_000_000)
    #expect(failure(path)?.code == EADDRINUSE)
    _ = first.descriptor
  }

  @Test func `Files and links at the path are not replaced`() throws {
    try "precious".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(failure(path)?.code == EEXIST)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    for target in [path, folder.path + "/nowhere"] {
      let link = folder.path + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      #expect(failure(link)?.code == EEXIST)
      #expect(exists(link))
      #expect(!exists(folder.path + "/nowhere"))
      try FileManager.default.removeItem(atPath: link)
    }
  }

  @Test func `A path that is too long or invalid is refused`() throws {
    let long = folder.path + "/" + String(repeating: "a", count: 107 - folder.path.utf8.count)
    #expect(failure(long)?.code == ENAMETOOLONG)
    #expect(failure(long)?.context.hasSuffix("(a socket's path has at most 107 bytes)") == true)
    #expect(failure("")?.code == EINVAL)
    #expect(failure("/tmp/a\0b")?.code == EINVAL)
    _ = try UnixListener(path: String(long.dropLast()))
  }

  @Test func `A socket that was replaced by another is not removed`() throws {
    let first = try UnixListener(path: path)
    try FileManager.default.removeItem(atPath: path)
    let second = try UnixListener(path: path)
    first.remove()
    #expect(exists(path))
    second.remove()
    #expect(!exists(path))
  }

  @Test func `Of several daemons that replace a stale socket at once, only one succeeds`() throws {
    for _ in 0..<20 {
      let stale = try UnixListener(path: path)
      try FileManager.default.moveItem(atPath: path, toPath: path + "2")
      _ = consume stale
      try FileManager.default.moveItem(atPath: path + "2", toPath: path)
      let made = DispatchQueue.concurrentPerformCollecting(4) { [path] _ in Holder(path) }
      #expect(made.count { $0.isHeld } == 1)
      _ = try UnixStream(connectingTo: path, within: 1_000_000)
      for holder in made { holder.release() }
    }
  }

  @Test func `A descriptor from systemd must be a listening stream socket`() throws {
    let own = try UnixListener(path: path)
    let inherited = try UnixListener(owning: dup(own.descriptor))
    #expect(fcntl(inherited.descriptor, F_GETFL) & O_NONBLOCK != 0)
    _ = consume inherited
    // The listener did not create the file, so it must not remove it.
    #expect(exists(path))
    let descriptors = unsafe [
      Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0),
      Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0),
      Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0),
      open("/dev/null", O_RDONLY),
    ]
    for descriptor in descriptors {
      let error = #expect(throws: SystemError.self) { _ = try UnixListener(owning: descriptor) }
      #expect(error.map { [EPROTOTYPE, ENOTSOCK].contains($0.code) } == true)
    }
  }
}

/// Returns the type and permissions of a file, or nil if there is none. Does not follow links.
private func mode(_ path: String) -> mode_t? {
  var status = stat()
  return unsafe lstat(path, &status) == 0 ? status.st_mode : nil
}

/// Holds a listener; none if it could not be created. An array cannot hold the noncopyable listener
/// itself.
private final class Holder: @unchecked Sendable {
  private var listener: UnixListener?

  init(_ path: String) { listener = try? UnixListener(path: path) }

  var isHeld: Bool { listener != nil }
  func release() { listener = nil }
}

extension DispatchQueue {
  fileprivate static func concurrentPerformCollecting(
    _ count: Int, _ body: @Sendable (Int) -> Holder
  ) -> [Holder] {
    let values = Mutex<[Holder]>([])
    concurrentPerform(iterations: count) { index in
      let value = body(index)
      values.withLock { $0.append(value) }
    }
    return values.withLock { $0 }
  }
}
