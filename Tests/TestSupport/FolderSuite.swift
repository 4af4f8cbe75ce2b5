/// A suite in which each test has its own folder.
open class FolderSuite {
  public let folder: TemporaryFolder

  public init() throws { folder = try TemporaryFolder() }

  public init(_ folder: TemporaryFolder) { self.folder = folder }
}
