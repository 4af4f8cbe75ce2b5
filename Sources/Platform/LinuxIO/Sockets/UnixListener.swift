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
  /// The socket file that this listener created; nil for a socket passed by systemd.
  private let file: File?

  /// Creates a socket that every user may connect to; the server decides by the peer's credentials
  /// which methods a client may call. Creates the folder if it is missing, but not its parents.
  /// Replaces the socket of a daemon that has ended.
  /// - Throws: `EADDRINUSE` if a daemon listens there; `EEXIST` if there is another kind of file,
  ///   including symbolic links; `ENAMETOOLONG` if the path is longer than 107 bytes; `EPERM` for
  ///   root if another user could change the target of the path; `EINVAL` for an invalid path; and
  ///   other errors of the kernel.
  public init(path: String) throws(SystemError) {
    try Self.check(path)
    let folder = Folder.of(path)
    try Self.checkControl(of: folder, isStrict: false, for: path)
    if unsafe mkdir(folder, 0o755) < 0, errno != EEXIST {
      throw SystemError(context: "creating the folder \(folder)")
    }
    // Another user may have created the folder meanwhile.
    try Self.checkControl(of: path, isStrict: true, for: path)
    // The lock keeps a second daemon that starts at the same time from removing this socket as
    // stale before it listens. A process that holds the lock for longer than a second is assumed to
    // be malicious: this daemon then continues without the lock.
    let lock = unsafe touchgrid_lock_folder(folder, 1000)
    defer { if lock >= 0 { close(lock) } }

    try Self.removeStale(path)
    let socket = try FileDescriptor(touchgrid_socket_stream(1), "creating a socket")
    guard unsafe touchgrid_socket_bind(socket.number, path) == 0 else {
      throw SystemError(context: "creating the socket \(path)")
    }
    var device: UInt64 = 0
    var inode: UInt64 = 0
    guard
      unsafe touchgrid_socket_file(path, &device, &inode) == 1,
      touchgrid_socket_listen(socket.number) == 0
    else {
      let error = SystemError(context: "listening on \(path)")
      unsafe unlink(path)
      throw error
    }
    self.socket = socket
    file = File(path: path, device: device, inode: inode)
  }

  /// Takes ownership of a socket created by systemd.
  /// - Throws: `EPROTOTYPE` if it is not a listening Unix stream socket; the descriptor is then
  ///   closed.
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

  /// Removes the socket file if this listener created it and it has not been replaced.
  public func remove() {
    guard let file else { return }
    var device: UInt64 = 0
    var inode: UInt64 = 0
    // While the socket is open, no other file can have its inode number.
    guard unsafe touchgrid_socket_file(file.path, &device, &inode) == 1,
      device == file.device, inode == file.inode
    else { return }
    unsafe unlink(file.path)
  }

  /// Accepts the next connection. Never waits.
  /// - Returns: its descriptor, which is non-blocking and owned by the caller; nil if no connection
  ///   is waiting.
  public func accept() throws(SystemError) -> Int32? {
    let connection = touchgrid_socket_accept(socket.number)
    if connection >= 0 { return connection }
    if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
    throw SystemError(context: "accepting a connection")
  }

  private static func check(_ path: String) throws(SystemError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SystemError(code: EINVAL, context: "creating a socket without a path")
    }
    guard path.utf8.count <= TOUCHGRID_SOCKET_PATH else {
      throw SystemError(
        code: ENAMETOOLONG,
        context: "creating the socket \(path) (a socket's path has at most 107 bytes)")
    }
  }

  /// Throws `EPERM` if this process is root and another user could change the target of the path
  /// `name`. Root must not use such a path, because the socket is created, made accessible to all
  /// users and removed by its path.
  /// - Parameter path: the path of the socket, for the message.
  private static func checkControl(
    of name: String, isStrict: Bool, for path: String
  ) throws(SystemError) {
    if let fault = PathControl.fault(of: name, isStrict: isStrict) {
      throw SystemError(
        code: EPERM, context: "creating the socket \(path) as root (\(fault); name another path)")
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
        code: EEXIST,
        context: "creating the socket \(path) (another kind of file is there; remove it)")
    default: throw SystemError(context: "examining \(path)")
    }
    let probe = try FileDescriptor(touchgrid_socket_stream(1), "creating a socket")
    let isRefused = unsafe touchgrid_socket_connect(probe.number, path) < 0 && errno == ECONNREFUSED
    guard isRefused else {
      throw SystemError(
        code: EADDRINUSE,
        context: "creating the socket \(path) (another program uses it; stop that program)")
    }
    if unsafe unlink(path) < 0, errno != ENOENT {
      throw SystemError(context: "removing the stale socket \(path)")
    }
  }
}
