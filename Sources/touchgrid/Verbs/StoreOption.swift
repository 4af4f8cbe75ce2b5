import ArgumentParser
import Storage

/// `--store`, the same for every verb that reads one.
struct StoreOption: ParsableArguments {
  static let standardPath = "/var/lib/touchgrid/touchgrid.db"

  @Option(
    name: .customLong("store"),
    help: ArgumentHelp("The store to read.", valueName: "file"), completion: .file())
  var path = Self.standardPath

  /// - Throws: `StoreError`, which says what to do.
  func open() throws(StoreError) -> Store { try Store(reading: path) }
}
