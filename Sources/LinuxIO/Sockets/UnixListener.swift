internal import CLinux
internal import Glibc

/// A listening Unix stream socket, non-blocking.
public struct UnixListener: ~Copyable {
  private struct File {
    let path: String
    let device: UInt64
    let inode: UInt64
  }

  private let socket: FileDescriptor
  /// The file that this has made; nil for a socket of systemd's.
  private let file: File?

  /// Makes a socket that everyone may connect to: who may do what is decided by the peer's credentials. The
  /// folder is made where only it is missing. The socket of a dead daemon is replaced.
  /// - Throws: `EADDRINUSE` where a daemon listens there, `EEXIST` where there is something that is no socket
  ///   (a symbolic link is none), `ENAMETOOLONG` where the path is longer than 107 bytes, `EPERM` for root where
  ///   another user could change what the path leads to, and what the kernel says.
  public init(path: String) throws(SystemError) {
    try Self.check(path)
    let folder = Folder.of(path)
    try Self.checkControl(of: folder, for: path)
    if unsafe mkdir(folder, 0o755) < 0, errno != EEXIST {
      throw SystemError(context: "making the folder \(folder)")
    }
    // Another user may have made the folder meanwhile.
    try Self.checkControl(of: path, for: path)
    // Against a second daemon that starts at the same time and takes our socket for a stale one before we
    // listen. Whoever holds the lock for longer means harm, and is passed over.
    let lock = unsafe touchgrid_lock_folder(folder, 1000)
    defer { if lock >= 0 { close(lock) } }

    try Self.removeStale(path)
    let number = touchgrid_socket_stream(1)
    guard number >= 0 else { throw SystemError(context: "making a socket") }
    let socket = FileDescriptor(owning: number)
    guard unsafe touchgrid_socket_bind(number, path) == 0 else {
      throw SystemError(context: "making the socket \(path)")
    }
    var device: UInt64 = 0
    var inode: UInt64 = 0
    guard
      unsafe touchgrid_socket_file(path, &device, &inode) == 1,
      touchgrid_socket_listen(number) == 0
    else {
      let error = SystemError(context: "listening on \(path)")
      unsafe unlink(path)
      throw error
    }
    self.socket = socket
    file = File(path: path, device: device, inode: inode)
  }

  /// Takes over a socket that systemd has made.
  /// - Throws: `EPROTOTYPE` where it is no listening Unix stream socket; it is closed then.
  public init(owning descriptor: Int32) throws(SystemError) {
    let socket = FileDescriptor(owning: descriptor)
    guard touchgrid_socket_adopt(descriptor) == 0 else {
      throw SystemError(
        context:
          "taking over descriptor \(descriptor), which must be a listening Unix stream socket")
    }
    self.socket = socket
    file = nil
  }

  deinit { remove() }

  public var descriptor: Int32 { socket.number }

  /// Removes the socket from the file system, if this has made it and nobody has replaced it.
  public func remove() {
    guard let file else { return }
    var device: UInt64 = 0
    var inode: UInt64 = 0
    // As long as the socket is open, no other file can have its inode.
    guard unsafe touchgrid_socket_file(file.path, &device, &inode) == 1,
      device == file.device, inode == file.inode
    else { return }
    unsafe unlink(file.path)
  }

  /// The next connection, non-blocking.
  /// - Returns: its descriptor, which the caller owns; nil where none waits.
  public func accept() throws(SystemError) -> Int32? {
    let connection = touchgrid_socket_accept(socket.number)
    if connection >= 0 { return connection }
    if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
    throw SystemError(context: "accepting a connection")
  }

  private static func check(_ path: String) throws(SystemError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SystemError(code: EINVAL, context: "making a socket without a path")
    }
    guard path.utf8.count <= TOUCHGRID_SOCKET_PATH else {
      throw SystemError(
        code: ENAMETOOLONG,
        context: "making the socket \(path): a socket's path has at most 107 bytes")
    }
  }

  /// A socket is made, opened to everybody and removed by its name.
  private static func checkControl(of name: String, for path: String) throws(SystemError) {
    if let fault = PathControl.fault(of: name) {
      throw SystemError(
        code: EPERM, context: "making the socket \(path) as root: \(fault); name another place")
    }
  }

  private static func removeStale(_ path: String) throws(SystemError) {
    var device: UInt64 = 0
    var inode: UInt64 = 0
    switch unsafe touchgrid_socket_file(path, &device, &inode) {
    case 0: return
    case 1: break
    case 2:
      throw SystemError(
        code: EEXIST, context: "making the socket \(path): what is there is no socket; remove it")
    default: throw SystemError(context: "looking at \(path)")
    }
    let number = touchgrid_socket_stream(1)
    guard number >= 0 else { throw SystemError(context: "making a socket") }
    let probe = FileDescriptor(owning: number)
    let isRefused = unsafe touchgrid_socket_connect(probe.number, path) < 0 && errno == ECONNREFUSED
    guard isRefused else {
      throw SystemError(
        code: EADDRINUSE, context: "making the socket \(path): another daemon listens there")
    }
    if unsafe unlink(path) < 0, errno != ENOENT {
      throw SystemError(context: "removing the socket \(path) of a daemon that is gone")
    }
  }
}
