import ArgumentParser
import TouchModel
import TouchgridAPI

/// Names from the daemon for the shell's completion; empty, without an error message, if the daemon
/// does not answer.
extension CompletionKind {
  static var displays: CompletionKind {
    .custom { _, _, _ in
      names { try $0.call(API.GetDisplays()).displays.map(\.name) }
    }
  }

  static var devices: CompletionKind {
    .custom { _, _, _ in
      names { try $0.call(API.GetDevices()).devices.map(\.key) }
    }
  }

  static var screens: CompletionKind {
    .custom { _, _, _ in
      names { connection in
        let now = try connection.call(API.GetDisplays()).displays.map(\.screen)
        let past = try connection.replies(to: API.ListScreens()).flatMap(\.screens).map(\.screen)
        return now + past
      }
    }
  }

  private static func names(
    _ ask: (DaemonConnection) throws -> [String]
  ) -> [String] {
    let path = SocketOption.fromEnvironment ?? TouchgridClient.standardPath
    guard let connection = try? DaemonConnection(path: path, timeout: .milliseconds(300)),
      let names = try? ask(connection)
    else { return [] }
    return Set(names.compactMap(\.asName)).sorted()
  }
}
