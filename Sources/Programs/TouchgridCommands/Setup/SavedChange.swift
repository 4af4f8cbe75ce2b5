import ArgumentParser
import ConfigurationFiles
import Glibc
import LinuxIO
import Text
import TouchgridAPI

/// The options of verbs that can save their change in the configuration.
struct SaveOptions: ParsableArguments {
  @Flag(help: "Change the configuration, so that it lasts. Needs sudo.")
  var save = false

  @Option(
    help: ArgumentHelp(
      "With --save, the configuration. Default: \(SetupChange.standardPath).", valueName: "file"),
    completion: .file())
  var config: String?

  func validate() throws { try validate(json: false) }

  /// - Parameter json: whether the daemon's reply is wanted.
  func validate(json: Bool) throws {
    if config != nil, !save { throw ValidationError("--config needs --save.") }
    if json, save { throw ValidationError("--json cannot be combined with --save.") }
  }

  var path: String { config ?? SetupChange.standardPath }

  /// Returns the daemon that uses the configuration; nil if none runs. A daemon with another
  /// configuration is ignored, unless its socket is named.
  func daemon(_ socket: SocketOption) throws(Failure) -> DaemonConnection? {
    guard path == SetupChange.standardPath || socket.isNamed else { return nil }
    return try socket.connectIfThere()
  }
}

/// Changes one table of the configuration, and keeps every other byte.
struct SavedChange {
  let path: String

  private var name: String { path.printable(limit: 4096) }

  private var missing: Failure {
    Failure(
      "there is no configuration \(name) yet, so every touch is masked; 'sudo touchgrid setup' writes one"
    )
  }

  /// The configuration, while it is locked against other processes.
  struct Edited {
    fileprivate let change: SavedChange
    let editor: TableEditor
    fileprivate let former: [UInt8]

    /// Lets the daemon check a text before it is written.
    /// - Returns: the change, and the resulting configuration.
    func checked(_ text: String) throws(Failure) -> (SetupChange, CheckedConfiguration) {
      let change = SetupChange(path: change.path, text: text, former: former)
      return (change, try change.check())
    }
  }

  /// Edits the configuration while it is locked against other processes.
  /// - Parameter body: receives the text, and makes the change.
  func locked<Result>(_ body: (Edited) throws -> Result) throws -> Result {
    guard geteuid() == 0 || path != SetupChange.standardPath else {
      throw Failure("only root may change \(name): use sudo")
    }
    guard Files.exists(path) else { throw missing }
    return try SetupChange.locked(path) {
      guard let former = try SetupChange.current(path) else { throw missing }
      return try body(Edited(change: self, editor: try editor(former), former: former))
    }
  }

  private func editor(_ former: [UInt8]) throws -> TableEditor {
    guard let text = String(validating: former, as: UTF8.self) else {
      throw Failure("\(name) is not UTF-8 text, and nothing was changed")
    }
    return try edit { try TableEditor(text) }
  }

  /// Calls `body`, and adds an explanation to its refusal.
  func edit<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let refusal as TableEditor.Refusal {
      throw Failure("nothing was changed in \(name): \(refusal.reason)")
    }
  }

  /// Writes a change, and keeps only the last of the previous files.
  func write(_ change: SetupChange) throws(Failure) {
    // From here on, ignore Ctrl-C: it would interrupt the change halfway.
    signal(SIGINT, SIG_IGN)
    _ = try change.write(keepingAs: path + ".old-save")
    signal(SIGINT, SIG_DFL)
  }

  /// Lets the service load the configuration, and waits until it is in force. First warns if a
  /// restart of the machine undoes the change.
  /// - Parameter isInForce: queries the daemon.
  /// - Returns: whether it is in force. If not, prints the remaining steps.
  func reload(_ socket: SocketOption, until isInForce: (DaemonConnection) throws -> Bool) throws
    -> Bool
  {
    if let note = StoragePlace.configuration(path).note { writeError(note) }
    switch try SetupChange.reload(path, socket: socket, restarts: false) {
    case .done:
      try Self.wait(socket, until: isInForce)
      try writeLines(["the service has loaded it"])
      let keys = try socket.connect().call(API.GetStatus()).restartNeededFor
      if !keys.isEmpty {
        writeError(
          "other changes in \(name) need a restart, which ends the masks and pauses of clients: "
            + keys.map { $0.printable() }.joined(separator: ", "))
      }
      return true
    case .notRunning:
      writeError("the service does not run: 'sudo systemctl enable --now touchgridd' starts it")
    case .notNeeded: writeError("the daemon loads it when it starts, or at its next reload")
    }
    return false
  }

  /// systemd returns a moment before the daemon has loaded the file.
  private static func wait(
    _ socket: SocketOption, until isInForce: (DaemonConnection) throws -> Bool
  ) throws {
    let daemon = try socket.connect()
    for _ in 0..<100 {
      if try isInForce(daemon) { return }
      TouchgridCommands.pause(0.1)
    }
    throw Failure(
      "the configuration was changed, but the service does not use it; 'journalctl -u touchgridd' says why"
    )
  }
}

extension Collection<String> {
  /// The first elements in one line, for an error message.
  var inOneLine: String {
    guard !isEmpty else { return "none" }
    return prefix(20).joined(separator: "; ") + (count > 20 ? "; and \(count - 20) more" : "")
  }
}
