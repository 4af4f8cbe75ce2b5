internal import CLinux

/// A descriptor that becomes readable when the owner, group, mode or access list of a file in a
/// folder changes (inotify).
public struct AttributeWatch: ~Copyable {
  private let watch: FileDescriptor

  public init(folder: String) throws(SystemError) {
    watch = try unsafe FileDescriptor(touchgrid_watch_attributes(folder), "watching \(folder)")
  }

  public var descriptor: Int32 { watch.number }

  /// Reads and discards the waiting events, so that the descriptor is no longer readable.
  public func drain() throws(SystemError) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while let count = try watch.read(into: &buffer), count > 0 {}
  }
}
