import ArgumentParser
import Storage
import TouchModel

/// `--socket` and `--store`: whom verbs ask that show the past.
struct PastOptions: ParsableArguments {
  static let standardStore = "/var/lib/touchgrid/touchgrid.db"

  @OptionGroup var socket: SocketOption

  @Option(
    help: ArgumentHelp(
      "Read this store's file instead of asking the daemon.",
      discussion: """
        Where no daemon runs and neither is given, \(standardStore) is read.
        """,
      valueName: "file"), completion: .file())
  var store: String?

  func validate() throws {
    if socket.socket != nil, store != nil {
      throw ValidationError("--store reads a file and --socket asks a daemon; give one of them.")
    }
  }

  /// - Parameter needsDaemon: a file cannot answer.
  func open(needsDaemon: Bool = false) throws -> Past {
    if needsDaemon { return .daemon(try socket.connect()) }
    if let store { return .file(try Store(reading: store)) }
    if let daemon = try socket.connectIfThere() { return .daemon(daemon) }
    guard !socket.isNamed, let store = try? Store(reading: Self.standardStore) else {
      // Connects once more, to say what is wrong.
      do throws(Failure) { return .daemon(try socket.connect()) } catch {
        throw Failure("\(error); --store FILE reads a store without a daemon")
      }
    }
    writeError("no daemon runs; this is what its store \(Self.standardStore) holds")
    return .file(store)
  }
}
