internal import Glibc
public import LinuxIO
public import Recordings
public import Storage
internal import Text
internal import TouchModel

/// Converts an error of a system call into a `DaemonError`.
func system<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(DaemonError) -> Result {
  do throws(SystemError) { return try body() } catch { throw .system(error) }
}

/// The reason why the daemon cannot start or continue.
public enum DaemonError: Error, Sendable, CustomStringConvertible {
  case system(SystemError)
  case store(StoreError)
  /// Another daemon writes to this store.
  case storeInUse(path: String)
  /// The daemon runs as root, and other users could replace the store by another file. Holds the
  /// store's path and the reason.
  case foreignStore(path: String, reason: String)
  case recording(RecordingError)
  /// The device of a recording is not a usable touchscreen. Holds the recording's path and the
  /// reason.
  case noTouchscreen(path: String, reason: String)

  /// The exit status of the process: `EX_DATAERR` (sysexits.h) for a file that no restart could use
  /// as a store, otherwise `EXIT_FAILURE`.
  public var exitStatus: Int32 {
    if case .store(let error) = self { error.exitStatus } else { EXIT_FAILURE }
  }

  public var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .store(let error): "\(error)"
    case .storeInUse(let path):
      "\(path.printable(limit: 4096)): in use by another touchgridd or touchgrid command; stop it, "
        + "or name another file with --store"
    case .foreignStore(let path, let reason):
      "\(path.printable(limit: 4096)): root does not use this path for a store: \(reason); name "
        + "a file in a folder that only one user can write in"
    case .recording(let error): "\(error)"
    case .noTouchscreen(let path, let reason):
      "\(path.printable(limit: 4096)): its device is not a usable touchscreen: \(reason)"
    }
  }
}
