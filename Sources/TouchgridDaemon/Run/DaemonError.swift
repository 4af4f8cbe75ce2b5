internal import Glibc
public import LinuxIO
public import Recordings
public import Storage
internal import TouchModel

/// Turns a failed system call into the daemon's own error.
func system<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(DaemonError) -> Result {
  do throws(SystemError) { return try body() } catch { throw .system(error) }
}

/// Why the daemon could not start or go on.
public enum DaemonError: Error, Sendable, CustomStringConvertible {
  case system(SystemError)
  case store(StoreError)
  /// Another daemon writes to this store.
  case storeInUse(path: String)
  /// Root keeps off a store that several users could put another file in the place of: its path, and why.
  case foreignStore(path: String, reason: String)
  case recording(RecordingError)
  /// A recording whose device is no touchscreen: path and reason.
  case noTouchscreen(path: String, reason: String)

  /// What the process ends with (sysexits.h): `EX_DATAERR` where another start would find the same.
  public var exitStatus: Int32 {
    if case .store(let error) = self { error.exitStatus } else { EXIT_FAILURE }
  }

  public var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .store(let error): "\(error)"
    case .storeInUse(let path):
      "\(path.printable(limit: 4096)): another touchgridd writes to it; stop that one, or name another file "
        + "with --store"
    case .foreignStore(let path, let reason):
      "\(path.printable(limit: 4096)): root keeps no store there: \(reason); name a file "
        + "in a folder that only one user may write in"
    case .recording(let error): "\(error)"
    case .noTouchscreen(let path, let reason):
      "\(path.printable(limit: 4096)): its device cannot be read as a touchscreen: \(reason)"
    }
  }
}
