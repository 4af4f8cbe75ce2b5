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

  /// From here on root is the user whose the store is, where one is read.
  /// - Parameters:
  ///   - needsDaemon: a file cannot answer.
  ///   - output: what will be written; nil, or `-`: nothing but standard output.
  func open(needsDaemon: Bool = false, writing output: String? = nil) throws -> Past {
    let output = output == "-" ? nil : output
    if needsDaemon { return .daemon(try socket.connect()) }
    if let store {
      try Acting.asOwner(ofStore: store, writing: output)
      return .file(try Store(reading: store))
    }
    if let daemon = try socket.connectIfThere() { return .daemon(daemon) }
    if !socket.isNamed {
      try Acting.asOwner(ofStore: Self.standardStore, writing: output)
    }
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
