import Glibc
import LinuxIO
import Synchronization

/// A thread that reports the progress of another thread at regular intervals, even while the other
/// thread is blocked. The first report is due after one second.
final class ProgressTicker: Sendable {
  private struct State {
    var steps: Progress.Steps?
    var hasReported = false
    /// The time at which the first step began, in seconds since this ticker was created.
    var stepsBegan = 0.0
  }

  private let state = Mutex(State())
  private let end: WakeUp
  private let thread = Mutex<pthread_t?>(nil)
  private let tell: @Sendable (_ elapsed: Double, _ steps: Progress.Steps?) -> Void
  private let began = ProgressTicker.seconds

  init(
    _ tell: @escaping @Sendable (_ elapsed: Double, _ steps: Progress.Steps?) -> Void
  ) throws(SystemError) {
    end = try WakeUp()
    self.tell = tell
  }

  /// Starts the thread. If it cannot be created, nothing is reported.
  func start() {
    // The new thread inherits the blocked signals. Only the calling thread may handle them, because
    // it alone changes the list of unfinished files.
    var (all, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let me = unsafe Unmanaged.passRetained(self)
    var made = pthread_t()
    let code = unsafe pthread_create(
      &made, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<ProgressTicker>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, me.toOpaque())
    guard code == 0 else { return unsafe me.release() }
    // From here on, Ctrl-C clears the line.
    UnfinishedFiles.setLine(true)
    let id = made
    thread.withLock { $0 = id }
  }

  func begin(_ total: Int, _ unit: String) {
    let now = Self.seconds - began
    state.withLock {
      $0.steps = Progress.Steps(total: total, unit: unit, elapsed: 0)
      $0.stepsBegan = now
    }
  }

  func advance() {
    let now = Self.seconds - began
    state.withLock {
      $0.steps?.done += 1
      $0.steps?.elapsed = now - $0.stepsBegan
    }
  }

  /// Stops the thread.
  /// - Returns: whether it has reported anything.
  func stop() -> Bool {
    guard let id = thread.withLock({ $0 }) else { return false }
    end.ring()
    pthread_join(id, nil)
    UnfinishedFiles.setLine(false)
    return state.withLock { $0.hasReported }
  }

  private func run() {
    var wait = pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0)
    var next = 1.0
    while true {
      let left = max(0, next - (Self.seconds - began))
      guard unsafe poll(&wait, 1, Int32((left * 1000).rounded(.up))) == 0 else { return }
      let steps = state.withLock { state in
        state.hasReported = true
        return state.steps
      }
      tell(Self.seconds - began, steps)
      // With steps, report four times a second. Without steps, a report only shows the elapsed
      // seconds, so one a second is enough.
      next = Self.seconds - began + (steps == nil ? 1 : 0.25)
    }
  }

  private static var seconds: Double { Double(Clocks.monotonic) / 1e6 }
}
