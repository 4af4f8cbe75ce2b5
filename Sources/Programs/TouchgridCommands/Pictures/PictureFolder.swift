import Glibc
import Heatmaps
import LinuxIO
import Text

/// A folder of pictures of screens, in the format of `touchgrid picture`. The command line, the
/// report and the page in Cockpit share the standard folder of this machine.
struct PictureFolder {
  static let variable = "TOUCHGRID_PICTURES"
  /// The group that may read the standard folder.
  static let group = "touchgrid-read"
  static let standardPath = "/var/lib/touchgrid-pictures"
  /// The standard folder of this machine. The package creates it: only root may write there, and
  /// `group` may read it.
  static var standard: String {
    Terminal.variable(variable).flatMap { $0.isEmpty ? nil : $0 } ?? standardPath
  }

  /// The limits of all pictures together, in bytes and in files.
  static let sizeLimit = 64 << 20
  static let countLimit = 1000
  /// The maximum number of names that are examined in a folder that another program has filled.
  private static let nameLimit = 20_000

  /// A picture in the folder.
  struct File {
    var name: PictureName
    /// The path in the folder, such as `checkout/pay.png`.
    var path: String
    var bytes: Int
  }

  let path: String
  /// The path in messages.
  var words: String { path.printable(limit: 4096) }

  init(_ path: String) { self.path = path }

  /// Returns all pictures, sorted by their paths. The standard folder may be missing. Links are
  /// not followed.
  func files() throws(Failure) -> [File] {
    var files: [File] = []
    var left = Self.nameLimit
    func look(in folder: OpenFolder, _ prefix: String, depth: Int) throws(SystemError) {
      for name in try folder.names() where !name.hasPrefix(".") && left > 0 {
        left -= 1
        if let bytes = folder.size(of: name) {
          guard let picture = PictureName(file: prefix + name) else { continue }
          files.append(File(name: picture, path: prefix + name, bytes: bytes))
        } else if depth < PictureName.depthLimit, let inner = try? folder.folder(name) {
          try look(in: inner, prefix + name + "/", depth: depth + 1)
        }
      }
    }
    do throws(SystemError) {
      try look(in: try OpenFolder(path), "", depth: 0)
    } catch {
      if error.code == ENOENT, path == Self.standard { return [] }
      throw unreadable(error.code)
    }
    return files.sorted { $0.path < $1.path }
  }

  /// Reads the picture of this name.
  /// - Throws: an error if there is none, or if it is not a valid picture.
  func picture(_ name: PictureName) throws(Failure) -> Screenshot {
    for file in name.files {
      if let bytes = ScreenshotFolder.contents("\(path)/\(file)") {
        return try Self.picture(bytes, of: file)
      }
    }
    throw try missing(name)
  }

  /// Reads a picture that `files` returned.
  func picture(at file: File) throws(Failure) -> Screenshot {
    guard let bytes = ScreenshotFolder.contents("\(path)/\(file.path)") else {
      throw Failure("\(file.path.printable(limit: 300)) cannot be read")
    }
    return try Self.picture(bytes, of: file.path)
  }

  private static func picture(_ bytes: [UInt8], of file: String) throws(Failure) -> Screenshot {
    let name = file.printable(limit: 300)
    guard bytes.count <= ScreenshotFolder.limit else {
      throw Failure("\(name) is larger than \(ScreenshotFolder.limit >> 20) MiB")
    }
    do throws(ScreenshotError) { return try Screenshot(bytes) } catch {
      throw Failure("\(name) \(error)")
    }
  }

  /// Returns the error that there is no picture with this name. It lists the other pictures of the
  /// screen.
  func missing(_ name: PictureName) throws(Failure) -> Failure {
    if unsafe access(path, X_OK) != 0, errno == EACCES { return unreadable(EACCES) }
    let others = try files().filter { $0.name.screen == name.screen }
      .map { $0.name.size.map { "--size \($0.text)" } ?? "the one without --size" }
    let hint = others.isEmpty ? "" : "; the screen has " + others.joined(separator: ", ")
    return Failure("there is no readable picture \(name.words) in \(words)" + hint)
  }

  private func unreadable(_ code: Int32) -> Failure {
    Failure(
      "\(words) cannot be read: \(errorText(code))"
        + (code == EACCES ? "; root and the group \(Self.group) may read the pictures" : ""))
  }
}
