internal import LinuxIO

/// Tells when a socket may have been made: every daemon sets the mode of its socket.
final class SocketNotice {
  private let watch: AttributeWatch
  private var source: Source?

  /// - Returns: nil where its folder cannot be watched.
  init?(path: String, _ body: @escaping () -> Void) {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    do throws(SystemError) {
      watch = try AttributeWatch(folder: slash == path.startIndex ? "/" : String(path[..<slash]))
    } catch {
      return nil
    }
    source = Source(descriptor: watch.descriptor) { [unowned self] in
      try? watch.drain()
      body()
    }
  }
}
