import ArgumentParser
import Glibc
import LinuxIO
import Text
import TouchgridAPI

/// The option `--socket` of all verbs that call the daemon.
struct SocketOption: ParsableArguments {
  static let variable = "TOUCHGRID_SOCKET"

  @Option(
    help: ArgumentHelp(
      "The daemon's socket.",
      discussion: """
        Default: $\(variable), or \(TouchgridClient.standardPath) if that is not set.
        """,
      valueName: "path"), completion: .file())
  var socket: String?

  /// Whether the user has named the socket. If its daemon does not answer, do not read the standard
  /// store instead: it may be the store of another daemon.
  var isNamed: Bool { socket != nil || Self.fromEnvironment != nil }

  var path: String { socket ?? Self.fromEnvironment ?? TouchgridClient.standardPath }

  static var fromEnvironment: String? {
    Terminal.variable(variable).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the arguments that name the same socket, for a program that may run in another folder.
  func arguments() throws(Failure) -> [String] {
    guard isNamed else { return [] }
    if path.hasPrefix("/") { return ["--socket", path] }
    guard let folder = unsafe getcwd(nil, 0) else {
      throw Failure("cannot determine the current folder: \(errorText(errno))")
    }
    defer { unsafe free(folder) }
    return ["--socket", unsafe String(cString: folder) + "/" + path]
  }

  /// Connects to the daemon.
  /// - Throws: an error with the remedy if no daemon answers.
  func connect() throws(Failure) -> DaemonConnection {
    let path = path
    do throws(TouchgridError) {
      return try DaemonConnection(path: path)
    } catch {
      throw Failure(error, path: path)
    }
  }

  /// Connects to the daemon if one listens on the socket.
  /// - Returns: nil if no daemon listens.
  /// - Throws: an error with the remedy if connecting fails for another reason.
  func connectIfThere() throws(Failure) -> DaemonConnection? {
    let path = path
    do throws(TouchgridError) {
      return try DaemonConnection(path: path)
    } catch {
      if error.isAbsence { return nil }
      throw Failure(error, path: path)
    }
  }
}
