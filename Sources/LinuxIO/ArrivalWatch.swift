internal import CLinux

/// Tells when a file of one name may have come into a folder, or may now be opened (inotify).
public struct ArrivalWatch: ~Copyable {
  public enum News: Sendable {
    /// Of other files.
    case nothing
    case arrival
    /// The folder is gone or has moved: nothing more is told.
    case end
  }

  private let watch: FileDescriptor
  private let name: String

  public init(folder: String, name: String) throws(SystemError) {
    let number = unsafe touchgrid_watch_arrivals(folder)
    guard number >= 0 else { throw SystemError(context: "watching \(folder)") }
    watch = FileDescriptor(owning: number)
    self.name = name
  }

  /// - Parameter path: of the file, which may not be there yet; its folder must be.
  package init(path: String) throws(SystemError) {
    let name = String(path.split(separator: "/").last ?? "")
    let folder =
      path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    try self.init(folder: folder, name: name)
  }

  public var descriptor: Int32 { watch.number }

  /// What has come in since the last call. Waits for nothing, and takes no more than a page at once.
  public func news() throws(SystemError) -> News {
    var buffer = [UInt8](repeating: 0, count: 4096)
    guard let count = try watch.read(into: &buffer), count > 0 else { return .nothing }
    let found = unsafe buffer.withUnsafeBytes { bytes in
      unsafe touchgrid_arrival(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count, name)
    }
    return found < 0 ? .end : found > 0 ? .arrival : .nothing
  }
}
