internal import CLinux
internal import Glibc

/// A connected Unix stream socket with one owner. Sending raises no SIGPIPE if the peer has closed
/// the connection.
public struct UnixStream: ~Copyable, Sendable {
  private let socket: FileDescriptor

  /// Takes ownership of a connected socket.
  public init(owning descriptor: Int32) { socket = FileDescriptor(owning: descriptor) }

  /// Connects to a socket.
  /// - Parameter microseconds: the maximum time to wait while the queue of the listening socket is
  ///   full.
  /// - Throws: `EAGAIN` if the wait took longer; `ENOENT`, `EACCES`, `ECONNREFUSED` and others with
  ///   the path.
  public init(connectingTo path: String, within microseconds: Int64) throws(SystemError) {
    let socket = try FileDescriptor(touchgrid_socket_stream(0), "creating a socket")
    guard
      !path.utf8.contains(0),
      touchgrid_socket_set_timeout(socket.number, max(1, microseconds)) == 0,
      unsafe touchgrid_socket_connect(socket.number, path) == 0
    else { throw SystemError(context: "connecting to \(path)") }
    self.socket = socket
  }

  public var descriptor: Int32 { socket.number }

  /// The result of an attempt to send or receive.
  public enum Outcome {
    case moved(Int)
    /// No bytes can be transferred now.
    case wouldBlock
    /// The peer has stopped sending, or has closed the connection.
    case ended
  }

  /// Sends as many bytes as there is room for. Never waits.
  public func send(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Outcome {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe touchgrid_socket_send(socket.number, $0.baseAddress, $0.count)
    }
    return try outcome(count, "sending")
  }

  /// Receives the available bytes, at most as many as `buffer` holds. Never waits.
  public func receive(
    into buffer: inout [UInt8], atMost limit: Int = .max
  ) throws(SystemError) -> Outcome {
    let size = min(buffer.count, limit)
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe touchgrid_socket_receive(socket.number, $0.baseAddress, size)
    }
    return try count == 0 && size > 0 ? .ended : outcome(count, "receiving")
  }

  private func outcome(_ count: Int, _ context: String) throws(SystemError) -> Outcome {
    if count >= 0 { return .moved(count) }
    switch errno {
    case EAGAIN, EWOULDBLOCK: return .wouldBlock
    case EPIPE, ECONNRESET: return .ended
    default: throw SystemError(context: context)
    }
  }

  /// Shuts down the sending side: the peer reads end of file after all bytes that were sent.
  public func endSending() { _ = touchgrid_socket_end_sending(socket.number) }

  /// Waits until the socket can be read or, with `forOutput`, written. An interruption may end the
  /// wait early.
  /// - Parameter microseconds: the maximum time to wait; negative: no limit.
  /// - Returns: whether the socket can be read or written.
  public func wait(forOutput: Bool = false, within microseconds: Int64) throws(SystemError) -> Bool
  {
    let found = touchgrid_socket_wait(socket.number, forOutput ? 1 : 0, microseconds)
    guard found >= 0 else { throw SystemError(context: "waiting for a socket") }
    return found > 0
  }
}
