import ArgumentParser
import Glibc
import LinuxIO
import TouchgridAPI
import Varlink

/// `--socket`, the same for every verb that asks the daemon.
struct SocketOption: ParsableArguments {
  static let variable = "TOUCHGRID_SOCKET"

  @Option(
    help: ArgumentHelp(
      "The daemon's socket.",
      discussion: """
        Without it the environment's \(variable), or else \(TouchgridClient.standardPath).
        """,
      valueName: "path"), completion: .file())
  var socket: String?

  /// Somebody has named the socket: then nothing else will do.
  var isNamed: Bool { socket != nil || Self.fromEnvironment != nil }

  var path: String { socket ?? Self.fromEnvironment ?? TouchgridClient.standardPath }

  static var fromEnvironment: String? {
    Terminal.variable(variable).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// - Throws: what to do where no daemon answers.
  func connect() throws(Failure) -> DaemonConnection {
    let path = path
    do throws(ClientError) {
      return try DaemonConnection(path: path)
    } catch {
      throw Failure(error, path: path)
    }
  }

  /// - Returns: nil where there is no daemon.
  func connectIfThere() throws(Failure) -> DaemonConnection? {
    let path = path
    do throws(ClientError) {
      return try DaemonConnection(path: path)
    } catch {
      if case .system(let error) = error, error.code == ENOENT || error.code == ECONNREFUSED {
        return nil
      }
      throw Failure(error, path: path)
    }
  }
}
