import LinuxIO
import Text

/// A file that must survive a restart of the machine.
struct StoragePlace {
  enum Content { case store, configuration }

  let content: Content
  let path: String
  let persistence: Persistence

  init(_ content: Content, _ path: String, _ persistence: Persistence) {
    self.content = content
    self.path = path
    self.persistence = persistence
  }

  /// Examines this machine, not the daemon's sandbox, in which most folders are read-only.
  static func store(_ path: String) -> StoragePlace {
    StoragePlace(.store, path, Persistence(of: path))
  }

  static func configuration(_ path: String = SetupChange.standardPath) -> StoragePlace {
    StoragePlace(.configuration, path, Persistence(of: path))
  }

  /// A sentence about data that will be lost or settings that cannot be changed; nil if none are
  /// known.
  var warning: String? {
    let name = path.printable(limit: 4096)
    let subject = content == .store ? "the store \(name) is" : "changes of \(name) are"
    return switch persistence {
    case .persistent, .unknown: nil
    case .volatile(let fileSystem):
      "\(subject) lost when this machine restarts: its folder is in memory (\(fileSystem.printable()))"
    case .uncertain(let upper):
      "\(subject) perhaps lost when this machine restarts: its folder is on an overlay, whose upper "
        + "folder \(upper.printable(limit: 4096)) cannot be found"
    case .readOnly: "\(name) is on a read-only file system"
    }
  }

  var remedy: String {
    (content == .store
      ? "mount a file system of a disk at its folder"
      : "change it while the overlay or write protection is off")
      + "; docs/raspberry-pi.md shows how"
  }

  /// The warning and the remedy, in one line.
  var note: String? { warning.map { "\($0); \(remedy)" } }

  /// The finding of `touchgrid doctor`.
  var finding: Finding? { warning.map { .warning($0, remedy) } }
}

extension Persistence {
  /// The value in JSON.
  var word: String {
    switch self {
    case .persistent: "persistent"
    case .volatile: "volatile"
    case .uncertain: "uncertain"
    case .readOnly: "readOnly"
    case .unknown: "unknown"
    }
  }
}
