/// A suite whose tests have a folder each.
open class FolderSuite {
  public let folder: TemporaryFolder

  public init() throws { folder = try TemporaryFolder() }

  public init(_ folder: TemporaryFolder) { self.folder = folder }
}
