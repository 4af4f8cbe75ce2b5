internal import CLinux

/// Reports when a file with a given name may have appeared in a folder, or may have become
/// accessible (inotify).
public struct ArrivalWatch: ~Copyable {
  public enum News: Sendable {
    /// Only other files were affected.
    case nothing
    case arrival
    /// The folder was removed, moved or unmounted. No more events follow.
    case end
  }

  private let watch: FileDescriptor
  private let name: String

  public init(folder: String, name: String) throws(SystemError) {
    watch = try unsafe FileDescriptor(touchgrid_watch_arrivals(folder), "watching \(folder)")
    self.name = name
  }

  /// Watches for a file by its path.
  /// - Parameter path: the path of the file. Its folder must exist; the file need not.
  package init(path: String) throws(SystemError) {
    let name = String(path.split(separator: "/").last ?? "")
    let folder =
      path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    try self.init(folder: folder, name: name)
  }

  public var descriptor: Int32 { watch.number }

  /// Returns the news since the last call. Never waits. Reads at most 4,096 bytes of events; the
  /// descriptor stays readable if there are more.
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
