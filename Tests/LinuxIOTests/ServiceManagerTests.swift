import Foundation
import LinuxIO
import Testing

/// Tests the protocols between systemd and a service. Each test runs in a process of its own,
/// because all threads of a process share the environment.
@Suite struct ServiceManagerTests {
  @Test func `Inherited sockets are taken once, and only by the intended process`() async {
    await #expect(processExitsWith: .success) { exit(takeSockets()) }
  }

  @Test func `States reach the service manager at a path or an abstract address`() async {
    await #expect(processExitsWith: .success) { exit(notifyManager()) }
  }

  @Test func `The watchdog interval is read only if it is for this process`() async {
    await #expect(processExitsWith: .success) { exit(askForWatchdog()) }
  }
}

/// Checks `InheritedSockets`.
/// - Returns: 0, or the number of the check that failed.
private func takeSockets() -> Int32 {
  guard hasOwnDescriptors() else { return 8 }
  let opened = unsafe open("/dev/null", O_RDONLY)
  dup2(opened, 3)
  dup2(opened, 4)
  unsafe setenv("LISTEN_FDS", "2", 1)
  unsafe setenv("LISTEN_PID", "\(getpid() + 1)", 1)
  guard InheritedSockets.take() == [], unsafe getenv("LISTEN_FDS") == nil else { return 1 }
  unsafe setenv("LISTEN_FDS", "2", 1)
  unsafe setenv("LISTEN_PID", "\(getpid())", 1)
  unsafe setenv("LISTEN_FDNAMES", "varlink:other", 1)
  guard InheritedSockets.take() == [3, 4] else { return 2 }
  guard fcntl(3, F_GETFD) & FD_CLOEXEC != 0 else { return 3 }
  guard unsafe getenv("LISTEN_PID") == nil, unsafe getenv("LISTEN_FDNAMES") == nil else { return 4 }
  guard InheritedSockets.take() == [] else { return 5 }
  for count in ["-1", "0", "x", "99999999999", "2000000000"] {
    unsafe setenv("LISTEN_FDS", count, 1)
    unsafe setenv("LISTEN_PID", "\(getpid())", 1)
    guard InheritedSockets.take() == [] else { return 6 }
  }
  // The process ID matches, but the pidfd's inode shows that systemd started another process.
  unsafe setenv("LISTEN_FDS", "1", 1)
  unsafe setenv("LISTEN_PID", "\(getpid())", 1)
  unsafe setenv("LISTEN_PIDFDID", "1", 1)
  guard InheritedSockets.take() == [], unsafe getenv("LISTEN_PIDFDID") == nil else { return 7 }
  return 0
}

/// Gives this thread a descriptor table of its own, because other threads would open and close
/// descriptors 3 and 4. Calls `unshare(2)`, which Swift's Glibc module lacks.
/// - Returns: whether that succeeded.
private func hasOwnDescriptors() -> Bool {
  typealias Unshare = @convention(c) (Int32) -> Int32
  guard let address = unsafe dlsym(nil, "unshare") else { return false }
  let files: Int32 = 0x400
  return unsafe unsafeBitCast(address, to: Unshare.self)(files) == 0
}

/// Checks `ServiceNotifier`.
/// - Returns: 0, or the number of the check that failed.
private func notifyManager() -> Int32 {
  guard ServiceNotifier() == nil else { return 1 }
  let path = NSTemporaryDirectory() + "notify-\(getpid())"
  for address in [path, "@touchgrid-test-\(getpid())"] {
    let manager = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = 2 + bytes.count + (bytes[0] == 0 ? 0 : 1)
    let bound = unsafe withUnsafePointer(to: &name) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(manager, $0, socklen_t(size))
      }
    }
    guard bound == 0 else { return 2 }
    unsafe setenv("NOTIFY_SOCKET", address, 1)
    guard let notifier = ServiceNotifier() else { return 3 }
    notifier.send("READY=1\nSTATUS=é")
    var text = [UInt8](repeating: 0, count: 100)
    let count = unsafe recv(manager, &text, text.count, Int32(MSG_DONTWAIT))
    unsafe unlink(path)
    guard count > 0, String(decoding: text[..<count], as: UTF8.self) == "READY=1\nSTATUS=é"
    else {
      return 4
    }
    // Sending to a manager that does not read or has gone returns soon and without an error.
    let start = Clocks.boottime
    for _ in 0..<20 { notifier.send("WATCHDOG=1") }
    close(manager)
    notifier.send("STOPPING=1")
    guard Clocks.boottime - start < 30_000_000 else { return 5 }
  }
  unsafe setenv("NOTIFY_SOCKET", "vsock:2:1234", 1)
  guard ServiceNotifier() == nil else { return 6 }
  return 0
}

/// Checks the watchdog interval.
/// - Returns: 0, or the number of the check that failed.
private func askForWatchdog() -> Int32 {
  guard ServiceNotifier.watchdogMicroseconds == nil else { return 1 }
  unsafe setenv("WATCHDOG_USEC", "30000000", 1)
  guard ServiceNotifier.watchdogMicroseconds == 30_000_000 else { return 2 }
  unsafe setenv("WATCHDOG_PID", "\(getpid())", 1)
  guard ServiceNotifier.watchdogMicroseconds == 30_000_000 else { return 3 }
  unsafe setenv("WATCHDOG_PID", "1", 1)
  guard ServiceNotifier.watchdogMicroseconds == nil else { return 4 }
  unsafe unsetenv("WATCHDOG_PID")
  for value in ["0", "-1", "", "soon", "99999999999999999999"] {
    unsafe setenv("WATCHDOG_USEC", value, 1)
    guard ServiceNotifier.watchdogMicroseconds == nil else { return 5 }
  }
  return 0
}
