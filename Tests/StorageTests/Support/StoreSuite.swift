import TestSupport
import Testing

@testable import Storage

/// A suite whose tests have a new store each.
class StoreSuite: FolderSuite {
  let store: Store
  /// The day after all days of the tests' sessions in May.
  let later: Day

  override init() throws {
    let folder = try TemporaryFolder()
    store = try Store(path: folder.file(), options: options())
    later = try #require(Day("2024-06-01"))
    super.init(folder)
  }
}
