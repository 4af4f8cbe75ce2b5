import Glibc
import LinuxIO
import Text
import TouchModel

/// The output file for subtitles: a new file, or existing subtitles to replace.
struct SubtitleFile {
  let path: String

  /// Checks that the path may be written.
  /// - Parameters:
  ///   - source: the path of the track, or `-` for standard input.
  ///   - name: the name of the track for messages.
  /// - Throws: an error if the path cannot be written, or if it is a file other than subtitles,
  ///   which would be lost.
  func check(source: String, name: String) throws(Failure) {
    let shown = path.printable(limit: 4096)
    var file = stat()
    guard unsafe stat(path, &file) == 0 else {
      let reason = errno
      // If the folder exists, the file can be created.
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
        "\(shown) exists and is not a subtitle file (ASS); give another name, or remove it")
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

  /// A command that draws the subtitles into a video. nil if the path needs quoting, because ffmpeg
  /// has its own rules for that.
  var example: String? {
    let plain = path.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "/._-".unicodeScalars.contains($0)
    }
    return plain ? "ffmpeg -i VIDEO -vf ass=\(path) OUT" : nil
  }
}
