import Glibc
import LinuxIO
import TouchModel

/// Where subtitles are written to: a new file, or older subtitles.
struct SubtitleFile {
  let path: String

  /// - Parameters:
  ///   - source: the track's path, or `-` for standard input.
  ///   - name: of the track, for messages.
  /// - Throws: where something else is there, which would be lost.
  func check(source: String, name: String) throws(Failure) {
    let shown = path.printable(limit: 4096)
    var file = stat()
    guard unsafe stat(path, &file) == 0 else {
      let reason = errno
      // Its folder may be there; then a new file is made.
      guard reason == ENOENT, unsafe access(folder, F_OK) == 0 else {
        throw Failure("\(shown) cannot be opened: \(errorText(reason))")
      }
      return
    }
    guard file.st_mode & S_IFMT != S_IFDIR else {
      throw Failure("\(shown) cannot be opened: \(errorText(EISDIR))")
    }
    guard file.st_mode & S_IFMT == S_IFREG else { return }
    var track = stat()
    let isKnown =
      unsafe source == "-" ? fstat(STDIN_FILENO, &track) == 0 : stat(source, &track) == 0
    if isKnown, track.st_dev == file.st_dev, track.st_ino == file.st_ino {
      let track = shown == name ? "" : ", \(name)"
      throw Failure("\(shown) is the track itself\(track); give another name with -o")
    }
    guard file.st_size > 0 else { return }
    let start = try Self.start(of: path, shown)
    let isMarked = start.starts(with: [0xef, 0xbb, 0xbf])
    guard (isMarked ? start.dropFirst(3) : start[...]).starts(with: Self.head) else {
      throw Failure(
        "\(shown) is there already, and is no file of subtitles (ASS); give another name, or "
          + "remove it")
    }
  }

  private static let head = Array("[Script Info]".utf8)

  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[...slash])
  }

  private static func start(of path: String, _ shown: String) throws(Failure) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure("\(shown) cannot be opened: \(errorText(errno))") }
    defer { close(descriptor) }
    var bytes = Array(repeating: UInt8(0), count: head.count + 3)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw Failure("\(shown) cannot be read: \(errorText(errno))") }
    return Array(bytes[..<count])
  }

  /// A command that draws them into a video; nil where the path would need quotes, which ffmpeg has rules of its own
  /// for.
  var example: String? {
    let plain = path.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "/._-".unicodeScalars.contains($0)
    }
    return plain ? "ffmpeg -i VIDEO -vf ass=\(path) OUT" : nil
  }
}
