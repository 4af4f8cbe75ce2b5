internal import Dispatch
internal import Glibc
internal import Synchronization
internal import TouchgridAPI

/// The replies to one call with `more`, on a separate connection.
final class ReplyStream<M: Method>: Sendable {
  private struct Shared {
    /// The socket while there is a connection.
    var descriptor: Int32?
    var isCancelled = false
  }

  private let method: M
  private let path: String
  private let timeout: Duration
  private let queue = DispatchQueue(label: "io.touchgrid.stream")
  /// The connection, and whether the last reply was read. Used on the queue only.
  nonisolated(unsafe) private var client: TouchgridClient?
  nonisolated(unsafe) private var isOver = false
  private let shared = Mutex(Shared())

  init(_ method: M, path: String, timeout: Duration) {
    (self.method, self.path, self.timeout) = (method, path, timeout)
  }

  /// Waits for the next reply, without limit. Connects first if there is no connection.
  /// - Returns: nil after the last reply, after an error, and if the task is cancelled.
  func next() async throws(TouchgridError) -> M.Reply? {
    let result: Result<M.Reply?, TouchgridError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: self.receive()) }
      }
    } onCancel: {
      // Wakes `receive`, which finds the connection closed.
      shared.withLock { shared in
        shared.isCancelled = true
        if let descriptor = shared.descriptor { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
      }
    }
    return try result.get()
  }

  private func receive() -> Result<M.Reply?, TouchgridError> {
    guard unsafe !isOver else { return .success(nil) }
    do throws(TouchgridError) {
      if unsafe client == nil { try connect() }
      let reply = try unsafe client?.receive(M.self, within: nil)
      if reply?.continues != true { end() }
      return .success(reply?.reply)
    } catch {
      end()
      return shared.withLock(\.isCancelled) ? .success(nil) : .failure(error)
    }
  }

  private func connect() throws(TouchgridError) {
    var client = try TouchgridClient(path: path, timeout: timeout)
    try client.start(method)
    let descriptor = client.descriptor
    let isCancelled = shared.withLock { shared in
      shared.descriptor = descriptor
      return shared.isCancelled
    }
    unsafe self.client = consume client
    if isCancelled { throw .closed }
  }

  private func end() {
    shared.withLock { $0.descriptor = nil }
    unsafe client = nil
    unsafe isOver = true
  }
}
