internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchModel

/// A named pipe or standard input, with the name of a screen on each line.
final class PipeSource: ObservationSource {
  private var reader: LineReader
  private var watch: Loop.Watch?
  private var timer: Loop.Timer?
  private let handler: (SourceEvent) -> Void

  /// - Parameter path: A named pipe, which is created if nothing exists there; "-" is standard
  ///   input.
  init(
    loop: Loop, path: String, display: String?, _ handler: @escaping (SourceEvent) -> Void
  ) throws(FollowFailure) {
    self.handler = handler
    let file = try Self.open(path)
    reader = LineReader(file, display: display, handler)
    do throws(SystemError) {
      watch = try loop.watch(reader.descriptor) { [unowned self] in read() }
    } catch {
      // EPERM: standard input is a regular file. epoll cannot watch one, because it is always
      // readable.
      guard error.code == EPERM else { throw .system("\(error)") }
      timer = loop.after(milliseconds: 0) { [unowned self] in
        while case .open = reader.read() {}; end()
      }
    }
  }

  private static func open(_ path: String) throws(FollowFailure) -> FileDescriptor {
    do throws(SystemError) {
      if path == "-" {
        return try FileDescriptor(
          fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "reading standard input")
      }
      if unsafe mkfifo(path, 0o600) != 0, errno != EEXIST {
        throw SystemError(context: "creating the pipe \(path)")
      }
      // Also open the pipe for writing: it then never reports end of file when the last writer
      // closes it.
      let file = try FileDescriptor(opening: path, O_RDWR | O_NONBLOCK | O_NOFOLLOW)
      var status = stat()
      guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
        throw SystemError(
          code: EINVAL,
          context: "opening the pipe \(path) (another kind of file is there; remove it)")
      }
      return file
    } catch {
      throw .system("\(error)".printable(limit: 1000))
    }
  }

  private func read() {
    if case .end = reader.read() { end() }
  }

  private func end() {
    watch = nil
    handler(.end)
  }
}
