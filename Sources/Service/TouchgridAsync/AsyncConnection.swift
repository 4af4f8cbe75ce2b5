import Dispatch
public import TouchgridAPI

/// A `TouchgridConnection` for programs with asynchronous functions. Calls are made one after
/// another, on a separate queue, so no thread of Swift's pool waits for the daemon.
///
///     let touchgrid = try AsyncConnection(masks: [API.Mask(screen: "pin")])
///     try await touchgrid.show("menu")
///     for try await frame in touchgrid.stream(API.WatchTouches()) { print(frame.touches) }
public final class AsyncConnection: Sendable {
  private let path: String
  private let timeout: Duration
  private let queue = DispatchQueue(label: "io.touchgrid.connection")
  /// Used on the queue only.
  nonisolated(unsafe) private let connection: TouchgridConnection

  /// The parameters and errors are those of `TouchgridConnection`.
  public init(
    path: String = TouchgridClient.standardPath, masks: [API.Mask] = [], follows: Bool = false,
    timeout: Duration = .seconds(1)
  ) throws(TouchgridError) {
    (self.path, self.timeout) = (path, timeout)
    unsafe connection = try TouchgridConnection(
      path: path, masks: masks, follows: follows, timeout: timeout)
  }

  /// Reports that the app shows another screen from now on. Call it just before the screen appears.
  public func show(_ screen: String, on display: String? = nil) async throws(TouchgridError) {
    try await onQueue { connection throws(TouchgridError) in
      try connection.show(screen, on: display)
    }
  }

  /// Calls a method that has one reply. Connects first if there is no connection.
  @discardableResult
  public func call<M: Method>(_ method: M) async throws(TouchgridError) -> M.Reply {
    try await onQueue { connection throws(TouchgridError) in try connection.call(method) }
  }

  private func onQueue<Value: Sendable>(
    _ body: @escaping @Sendable (TouchgridConnection) throws(TouchgridError) -> Value
  ) async throws(TouchgridError) -> Value {
    let result: Result<Value, TouchgridError> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(TouchgridError) {
          continuation.resume(returning: .success(try body(unsafe self.connection)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// Calls a method with `more` on a separate connection, and returns its replies as they arrive.
  /// The connection begins with the loop over them and ends with it. Replies are read only when the
  /// loop requests them, so a slow loop keeps none in memory.
  /// - Throws: `TouchgridError` from the loop, also when the daemon stops.
  public func stream<M: Method>(_ method: M) -> AsyncThrowingStream<M.Reply, any Error> {
    let replies = ReplyStream(method, path: path, timeout: timeout)
    return AsyncThrowingStream { try await replies.next() }
  }
}
