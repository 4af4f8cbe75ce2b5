internal import Glibc

/// Runs `body` on a new, detached thread.
///
/// The corresponding C function is `pthread_create`.
/// - Parameter name: for the error message.
/// - Throws: `.thread` if the system cannot start a thread.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) throws(StoreError) {
  let box = unsafe Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { argument in
      guard let argument = unsafe argument else { return nil }
      unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  guard code == 0 else {
    unsafe box.release()
    let message = unsafe String(cString: strerror(code))
    throw StoreError(.thread, message: message, activity: "starting the \(name) thread")
  }
  pthread_detach(thread)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
