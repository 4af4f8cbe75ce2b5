internal import LinuxIO

/// Reports when a socket may have been created, or may now be opened.
final class SocketWatch {
  enum News {
    case arrival
    /// No more news will follow.
    case end
  }

  private let watch: ArrivalWatch
  private var source: Source?

  /// - Returns: nil if the folder of the socket does not exist or cannot be watched.
  init?(path: String, _ body: @escaping (News) -> Void) {
    do throws(SystemError) {
      watch = try ArrivalWatch(path: path)
    } catch {
      return nil
    }
    source = Source(descriptor: watch.descriptor) { [unowned self] in
      do throws(SystemError) {
        switch try watch.news() {
        case .nothing: break
        case .arrival: body(.arrival)
        case .end: body(.end)
        }
      } catch {
        body(.end)
      }
    }
  }
}
