import ArgumentParser
import Glibc
import Heatmaps
import LinuxIO
import Storage
import Text
import TouchModel
import TouchgridAPI

/// The option `--store` of the verbs that maintain a store.
struct StoreFileOption: ParsableArguments {
  @OptionGroup var socket: SocketOption

  @Option(
    help: ArgumentHelp(
      "The store's file.",
      discussion: """
        Default: the store of the running daemon, or \(StoredDataOptions.standardStore) if none is running.
        """,
      valueName: "file"), completion: .file())
  var store: String?

  /// Returns the path of the store. Root first becomes the store's owner, for the rest of the
  /// process.
  /// - Parameter output: the path of the file that will be written, if it is not part of the store.
  /// - Throws: an error if a daemon runs and does not report the path.
  func path(writing output: String? = nil) throws(Failure) -> String {
    let path = try named()
    try ProcessIdentity.becomeOwner(ofStore: path, writing: output)
    // Root opens a file of its own only if the user named it, or if it is at the standard path. A
    // path that a daemon reports is not enough, because the daemon of another user could report any
    // path.
    guard store != nil || path == StoredDataOptions.standardStore || !Privileges.isRoot else {
      throw Failure(
        "according to the daemon, its store is \(path.printable(limit: 4096)), which belongs to "
          + "root; if that is right, name this file with --store")
    }
    return path
  }

  private func named() throws(Failure) -> String {
    if let store { return store }
    do throws(Failure) {
      let status = try socket.connectIfThere()?.call(API.GetStatus())
      return status?.store.path ?? StoredDataOptions.standardStore
    } catch {
      throw Failure(
        "\(error)\nThe daemon was asked for the path of its store; --store FILE does without the "
          + "daemon")
    }
  }
}

/// The lock that a running daemon holds on its store. A user without write permission continues
/// without the lock.
final class StoreLock {
  private let lock: FileLock?

  /// - Throws: an error if a daemon holds the lock, or if there is no file.
  init(_ path: String) throws(Failure) {
    let name = path.printable(limit: 4096)
    // Check first, because locking would create the file.
    guard unsafe access(path, F_OK) == 0 else {
      throw Failure("\(name) cannot be read: \(errorText(errno))")
    }
    do throws(SystemError) {
      lock = try FileLock(path)
    } catch {
      guard error.code == EWOULDBLOCK else {
        lock = nil
        return
      }
      throw Failure(
        "the daemon, or another command, has \(name) open; run 'sudo systemctl stop touchgridd' "
          + "before this command, and 'sudo systemctl start touchgridd' after it")
    }
  }
}

/// Shows the progress of store maintenance.
final class MaintenanceTicker {
  private let progress: Progress

  init(_ what: String) { progress = Progress(what) }

  func follow(_ step: MaintenanceProgress) {
    switch step {
    case .begins(let total, let unit): progress.begin(total, unit)
    case .advances: progress.advance()
    }
  }
}
