import ArgumentParser
import Storage
import TouchModel

/// The options `--socket` and `--store` of verbs that show stored data.
struct StoredDataOptions: ParsableArguments {
  static let standardStore = "/var/lib/touchgrid/touchgrid.db"

  @OptionGroup var socket: SocketOption

  @Option(
    help: ArgumentHelp(
      "Read this store instead of calling the daemon.",
      discussion: """
        Default: \(standardStore), if no daemon is running and no socket is named.
        """,
      valueName: "file"), completion: .file())
  var store: String?

  func validate() throws {
    if socket.socket != nil, store != nil {
      throw ValidationError("--store cannot be combined with --socket.")
    }
  }

  /// Connects to the daemon or opens a store. Before reading a store, root becomes the store's
  /// owner, for the rest of the process.
  /// - Parameters:
  ///   - needsDaemon: whether only the daemon has the data.
  ///   - output: the file that will be written; nil or `-` for standard output.
  func open(needsDaemon: Bool = false, writing output: String? = nil) throws -> Past {
    let output = output == "-" ? nil : output
    if needsDaemon { return .daemon(try socket.connect()) }
    if let store {
      try ProcessIdentity.becomeOwner(ofStore: store, writing: output)
      return .file(try Store(reading: store))
    }
    if let daemon = try socket.connectIfThere() { return .daemon(daemon) }
    if !socket.isNamed {
      try ProcessIdentity.becomeOwner(ofStore: Self.standardStore, writing: output)
    }
    guard !socket.isNamed, let store = try? Store(reading: Self.standardStore) else {
      // Connect again for an error with the reason.
      do throws(Failure) { return .daemon(try socket.connect()) } catch {
        throw Failure("\(error); --store FILE reads a store without the daemon")
      }
    }
    writeError("no daemon is running; reading \(Self.standardStore)")
    return .file(store)
  }
}
