import Glibc
import Heatmaps
import LinuxIO
import Text
import TouchModel

/// The folder of pictures of the app's screens. Heatmaps, reports and the page in Cockpit draw over
/// them. The package makes it for root and for the group that reads.
struct PictureFolder {
  static let standard = "/var/lib/touchgrid-pictures"
  /// The maximum number of pictures, and their maximum size in bytes, together and each.
  static let mostPictures = 1000
  static let limitOfAll = 256 << 20
  static let limit = ScreenshotFolder.limit
  private static let mostNames = 10_000
  private static let depthLimit = 8

  let path: String

  /// A picture in the folder.
  struct Entry: Encodable {
    /// The screen that it shows.
    var screen: String
    /// The only size in points of displays that it is for, such as `800x1280`; nil for all.
    var size: String?
    /// The name of the file in the folder.
    var file: String
    /// The size in pixels; nil if the file is no picture that can be used.
    var width: Int?
    var height: Int?
    var bytes: Int
    /// Why the file is not used.
    var error: String?
  }

  // MARK: Reading

  /// Returns the pictures, by the names of their files.
  func entries() throws(Failure) -> [Entry] {
    var entries: [Entry] = []
    try forEachFile { folder, name, file in
      var entry = Self.entry(file)
      do {
        let bytes = try folder.contents(name, limit: Self.limit)
        entry.bytes = bytes.count
        let picture = try Screenshot(bytes)
        (entry.width, entry.height) = (picture.width, picture.height)
      } catch { entry.error = "\(error)".printable(limit: 300) }
      entries.append(entry)
    }
    return entries
  }

  /// Returns the picture of a screen that is for displays of a size in points, or else the one for
  /// all; nil if there is none that can be used.
  func picture(of screen: String, size: PictureSize?) -> (file: String, picture: Screenshot)? {
    guard let names = ScreenshotFolder.names(screen, size) else { return nil }
    for name in names {
      guard let bytes = ScreenshotFolder.contents("\(path)/\(name)"),
        let picture = try? Screenshot(bytes)
      else { continue }
      return (name, picture)
    }
    return nil
  }

  private static func entry(_ file: String) -> Entry {
    var name = file[...]
    if let dot = name.lastIndex(of: ".") { name = name[..<dot] }
    var size: String?
    if let at = name.lastIndex(of: "@"), PictureSize(String(name[name.index(after: at)...])) != nil
    {
      size = String(name[name.index(after: at)...])
      name = name[..<at]
    }
    return Entry(screen: String(name), size: size, file: file, bytes: 0)
  }

  /// Visits all files whose names are those of pictures.
  private func forEachFile(
    _ visit: (_ folder: OpenFolder, _ name: String, _ file: String) throws -> Void
  ) throws(Failure) {
    var left = Self.mostNames
    func look(_ folder: OpenFolder, _ prefix: String, _ depth: Int) throws {
      for name in try folder.names() where !name.hasPrefix(".") && left > 0 {
        left -= 1
        if let ending = FileEnding(name)?.text.lowercased(), Screenshot.fileEndings.contains(ending)
        {
          try visit(folder, name, prefix + name)
        } else if depth < Self.depthLimit, let inner = try? folder.folder(name) {
          try look(inner, prefix + name + "/", depth + 1)
        }
      }
    }
    do { try look(try OpenFolder(path), "", 0) } catch {
      throw Failure("\(path.printable(limit: 4096)) cannot be read: \(error)")
    }
  }

  // MARK: Changing

  /// Keeps a picture of a screen in place of the one that there is.
  /// - Returns: the name of its file.
  func add(_ picture: Screenshot, of screen: String, size: PictureSize?) throws(Failure) -> String {
    let names = try writableNames(screen, size)
    let name = names[0].dropLast("png".count) + picture.type.fileEnding
    var (count, bytes) = (0, picture.bytes.count)
    for entry in try entries() where !names.contains(entry.file) {
      count += 1
      bytes += entry.bytes
    }
    guard count < Self.mostPictures, bytes <= Self.limitOfAll else {
      throw Failure(
        "there are \(count) pictures already, and with this one \(bytes >> 20) MiB; the limits are "
          + "\(Self.mostPictures) and \(Self.limitOfAll >> 20) MiB. Remove some: touchgrid picture")
    }
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/" + part
      // The set-group-ID bit of the folder above gives the new one its group.
      guard unsafe mkdir(folder, 0o750) == 0 || errno == EEXIST else {
        throw Failure("\(folder.printable(limit: 4096)) cannot be made: \(errorText(errno))")
      }
      try Self.refuseLink(folder)
    }
    let mask = umask(0o027)
    defer { umask(mask) }
    let file = "\(path)/\(name)"
    try replaceFile(file) { descriptor throws(Failure) in
      try write(picture.bytes, to: descriptor, name: file.printable(limit: 4096))
      guard fchmod(descriptor, 0o640) == 0 else {
        throw Failure("\(file.printable(limit: 4096)): \(errorText(errno))")
      }
    }
    for other in names where other != name { unsafe unlink("\(path)/\(other)") }
    return String(name)
  }

  /// Removes the pictures of a screen, of one size or of all displays.
  /// - Returns: whether there was one.
  func remove(_ screen: String, size: PictureSize?) throws(Failure) -> Bool {
    var removed = false
    for name in try writableNames(screen, size) {
      var folder = path
      for part in name.split(separator: "/").dropLast() {
        folder += "/" + part
        try Self.refuseLink(folder)
      }
      if unsafe unlink("\(path)/\(name)") == 0 {
        removed = true
      } else if errno != ENOENT && errno != ENOTDIR {
        throw Failure(
          "\(path)/\(name)".printable(limit: 4096) + " cannot be removed: \(errorText(errno))")
      }
    }
    return removed
  }

  /// Nothing outside of the folder is changed, whoever made a link in it.
  private static func refuseLink(_ folder: String) throws(Failure) {
    var status = stat()
    guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
    throw Failure("\(folder.printable(limit: 4096)) is no folder, but a link or a file")
  }

  /// Returns the names that the file may have.
  private func writableNames(_ screen: String, _ size: PictureSize?) throws(Failure) -> [String] {
    let shown = path.printable(limit: 4096)
    guard let all = ScreenshotFolder.names(screen, size) else {
      throw Failure(
        "the picture of screen \(screen.printable(limit: 300)) cannot have a file: no part of its name "
          + "may be empty or begin with a dot")
    }
    if let fault = PathControl.fault(of: "\(path)/\(all[0])", isStrict: true) {
      throw Failure("root changes nothing in \(shown): \(fault); do it as that user")
    }
    guard unsafe access(path, W_OK) == 0 else {
      throw Failure(
        errno == ENOENT
          ? "there is no folder \(shown): the package touchgrid makes it, or 'mkdir' does"
          : "\(shown) cannot be changed: \(errorText(errno)); use sudo")
    }
    return Array(all.prefix(Screenshot.fileEndings.count))
  }
}

/// A size of displays, in points.
struct PictureSize: Equatable {
  let width: Int
  let height: Int

  init(_ geometry: DisplayGeometry) {
    (width, height) = (Int(geometry.width.rounded()), Int(geometry.height.rounded()))
  }

  /// Reads `800x1280`; nil if it is none.
  init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1],
      (1...65_536).contains(width), (1...65_536).contains(height)
    else { return nil }
    (self.width, self.height) = (width, height)
  }

  var text: String { "\(width)x\(height)" }
}

extension Screenshot.Kind {
  var fileEnding: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    case .webp: "webp"
    }
  }
}
