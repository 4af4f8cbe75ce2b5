import Glibc
import Heatmaps
import LinuxIO
import Reports
import Text
import TouchModel

/// A folder of screenshots. Files are named after the screens that they show (`PictureName`).
final class ScreenshotFolder {
  /// The maximum size of one screenshot in bytes; `limitOfAll` is that of all together. A browser
  /// that shows the report holds all of them in memory.
  static let limit = 6 << 20
  static let limitOfAll = 40 << 20
  /// The maximum number of names that are examined for `unused`.
  private static let nameLimit = 10_000
  /// The maximum number of unused files in a warning.
  private static let namedLimit = 10

  private let path: String
  /// Whether the user named the folder in this command, and therefore expects a picture of each
  /// screen.
  private let isNamed: Bool
  /// The files that were read, by their names in the folder.
  private var used: Set<String> = []

  /// - Parameter path: the folder that the user named.
  init(_ path: String) throws(Failure) {
    guard Self.isFolder(path) else {
      throw Failure(
        "\(path.printable(limit: 4096)) is not a folder; --screens needs a folder of screenshots")
    }
    self.path = path
    isNamed = true
  }

  /// Opens the folder of `touchgrid picture`. If it is missing or not readable, it has no pictures.
  init() {
    path = PictureFolder.standard
    isNamed = false
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Adds to each screen its screenshot, or a remark with the reason why it is missing.
  func illustrate(_ report: inout Report) {
    var room = Self.limitOfAll
    for index in report.screens.indices {
      let key = report.screens[index].key
      do throws(Failure) {
        guard let picture = try screenshot(of: key, room: room) else { continue }
        report.screens[index].picture = picture
        room -= picture.bytes.count
      } catch {
        report.screens[index].remark = error.description
      }
    }
  }

  /// Returns a line for each screen without a screenshot, and a line with the pictures that
  /// `illustrate` did not read.
  func warnings(of report: Report) -> [String] {
    let remarks = report.screens.compactMap { screen in
      screen.remark.map { "\(screen.key.screen.printable()): \($0)" }
    }
    let unused = isNamed ? unused : []
    guard !unused.isEmpty else { return remarks }
    let rest = unused.count - Self.namedLimit
    return remarks + [
      "unused in \(path.printable(limit: 4096)): "
        + unused.prefix(Self.namedLimit).map { $0.printable(limit: 300) }.joined(separator: ", ")
        + (rest > 0 ? " and \(rest) more" : "")
        + "; a picture is named after its screen, such as menu.png or checkout/pay.png"
    ]
  }

  /// The pictures that were not read, by their names in the folder, sorted.
  private var unused: [String] {
    var left = Self.nameLimit
    var unused: [String] = []
    func look(in folder: OpenFolder, _ prefix: String, depth: Int) {
      for name in (try? folder.names()) ?? [] where !name.hasPrefix(".") && left > 0 {
        left -= 1
        let ending = FileEnding(name)?.text.lowercased()
        if let ending, Screenshot.fileEndings.contains(ending) {
          if !used.contains(prefix + name) { unused.append(prefix + name) }
        } else if depth < PictureName.depthLimit, let inner = try? folder.folder(name) {
          look(in: inner, prefix + name + "/", depth: depth + 1)
        }
      }
    }
    if let folder = try? OpenFolder(path) { look(in: folder, "", depth: 0) }
    return unused.sorted()
  }

  /// Returns the screenshot of a screen; nil if it is missing and the user named no folder.
  /// - Parameter room: the maximum size of the file in bytes, if less than `limit`.
  /// - Throws: the reason why the screen has no screenshot.
  func screenshot(of key: GridKey, room: Int = limit) throws(Failure) -> Screenshot? {
    guard let names = Self.names(of: key) else {
      guard isNamed else { return nil }
      throw Failure("No screenshot: the screen's name is not a valid file name.")
    }
    guard let file = find(names) else {
      guard isNamed else { return nil }
      throw Failure(
        "No screenshot: the folder has no readable \(names[names.count / 2]) (or .jpg, .jpeg, "
          + ".webp).")
    }
    used.insert(file.name)
    let shown = file.name.printable(limit: 300)
    guard file.bytes.count <= min(Self.limit, room) else {
      throw Failure(
        "No screenshot: \(shown) is larger than 6 MiB, or all screenshots together are larger than 40 MiB."
      )
    }
    let picture: Screenshot
    do throws(ScreenshotError) { picture = try Screenshot(file.bytes) } catch {
      throw Failure("No screenshot: \(shown) \(error).")
    }
    guard picture.fits(key.geometry) else {
      throw Failure(
        "No screenshot: \(shown) has \(picture.width) x \(picture.height) pixels, but for this "
          + "display it must have the shape of \(Self.size(key.geometry)). A screenshot for this "
          + "display alone is named \(key.screen.printable())@\(PictureSize(key.geometry).text).png."
      )
    }
    return picture
  }

  /// Reads the first file that exists.
  private func find(_ names: [String]) -> (name: String, bytes: [UInt8])? {
    // During the first round, a picture may be replaced by one with another ending. The second
    // round finds it.
    for name in names + names {
      if let bytes = Self.contents("\(path)/\(name)") { return (name, bytes) }
    }
    return nil
  }

  /// Returns the names that the file may have, the most specific first. nil if the screen's name is
  /// not a valid path in the folder.
  static func names(of key: GridKey) -> [String]? {
    guard let own = PictureName(key.screen, for: PictureSize(key.geometry)),
      let general = PictureName(key.screen)
    else { return nil }
    return own.files + general.files
  }

  /// Returns the size of the picture on the display, as text.
  static func size(_ geometry: DisplayGeometry) -> String {
    func text(_ factor: Double) -> String {
      "\(Int((geometry.width * factor).rounded())) x \(Int((geometry.height * factor).rounded()))"
    }
    return text(geometry.scale) + (geometry.scale == 1 ? "" : " (\(text(1)) points)")
  }

  /// Reads a file; nil if there is no readable file. Stops soon after `limit` bytes, so the result
  /// of a larger file is longer than `limit`.
  static func contents(_ path: String) -> [UInt8]? {
    guard let trust = try? ProcessIdentity.trust(path) else { return nil }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | trust.flags)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      trust.allows(descriptor)
    else { return nil }
    var bytes: [UInt8] = []
    var buffer = Array(repeating: UInt8(0), count: 1 << 18)
    while bytes.count <= limit {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
