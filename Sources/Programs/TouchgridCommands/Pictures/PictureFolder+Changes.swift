import Glibc
import Heatmaps
import LinuxIO
import Text

extension PictureFolder {
  /// Checks that this user can change the pictures. Does nothing if this process is root and the
  /// folder belongs to another user: root becomes that user before it uses the folder.
  /// - Throws: an error with the remedy if the user cannot.
  func requireWritable() throws(Failure) {
    guard !ProcessIdentity.isShared(path + "/name") else { return }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      let advice =
        path == Self.standardPath
        ? "the package touchgrid makes it, and so does 'sudo systemd-tmpfiles --create'"
        : "create it first"
      throw Failure("\(words) cannot be opened: \(errorText(errno)); \(advice)")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw Failure("\(words) is not a folder") }
    guard unsafe access(path, W_OK | X_OK) != 0 else { return }
    throw Failure(
      errno == EACCES
        ? "only the administrator may change the pictures in \(words): run this with sudo"
        : "\(words) cannot be changed: \(errorText(errno))")
  }

  /// Stores a picture. It replaces one with the same name and any ending, atomically: whenever the
  /// program ends, the folder has the old or the new one.
  /// - Returns: the path of the file.
  func add(_ picture: Screenshot, as name: PictureName) throws(Failure) -> String {
    try requireWritable()
    try requireRoom(for: picture, as: name)
    let file = "\(path)/\(name.stem).\(picture.type.fileEnding)"
    if let fault = PathControl.fault(of: file, isStrict: true) {
      throw Failure("root does not write \(file.printable(limit: 4096)): \(fault)")
    }
    do throws(Failure) {
      try makeFolders(of: name)
      try write(picture.bytes, to: file)
    } catch {
      removeEmptyFolders(of: name)
      throw error
    }
    for other in name.files.map({ "\(path)/\($0)" }) where other != file { unsafe unlink(other) }
    try? Folder.flush(Folder.of(file))
    return file
  }

  func remove(_ name: PictureName) throws(Failure) {
    try requireWritable()
    var isThere = false
    for file in name.files.map({ "\(path)/\($0)" }) {
      if let fault = PathControl.fault(of: file, isStrict: true) {
        throw Failure("root removes nothing at \(file.printable(limit: 4096)): \(fault)")
      }
      if unsafe unlink(file) == 0 {
        isThere = true
      } else if errno != ENOENT, errno != ENOTDIR {
        throw Failure("\(file.printable(limit: 4096)) cannot be removed: \(errorText(errno))")
      }
    }
    guard isThere else { throw try missing(name) }
    removeEmptyFolders(of: name)
  }

  private func requireRoom(for picture: Screenshot, as name: PictureName) throws(Failure) {
    guard picture.bytes.count <= ScreenshotFolder.limit else {
      throw Failure("the picture is larger than \(ScreenshotFolder.limit >> 20) MiB (the limit)")
    }
    let others = try files().filter { $0.name != name }
    let bytes = others.reduce(picture.bytes.count) { $0 + $1.bytes }
    guard bytes <= Self.sizeLimit, others.count < Self.countLimit else {
      throw Failure(
        "\(words) is full: it may have \(groupedDigits(UInt64(Self.countLimit))) pictures of "
          + "\(Self.sizeLimit >> 20) MiB together; remove some with 'touchgrid picture remove'")
    }
  }

  /// Makes the folders of a picture, with the owner, group and mode of this folder.
  private func makeFolders(of name: PictureName) throws(Failure) {
    let own = try status()
    for folder in name.folders.map({ "\(path)/\($0)" }) {
      guard unsafe mkdir(folder, 0o700) == 0 else {
        if errno == EEXIST { continue }
        throw Failure("\(folder.printable(limit: 4096)) cannot be created: \(errorText(errno))")
      }
      // The new folder belongs to this process. chown comes first, because it may clear mode bits.
      unsafe lchown(folder, own.st_uid, own.st_gid)
      unsafe chmod(folder, own.st_mode & 0o777)
    }
  }

  private func write(_ bytes: [UInt8], to file: String) throws(Failure) {
    let own = try status()
    let name = file.printable(limit: 4096)
    var replacement = try beside(name) { () throws(SystemError) in try FileReplacement(of: file) }
    try TouchgridCommands.write(bytes, to: replacement.descriptor, name: name)
    replacement.takeOver(mode: own.st_mode & 0o666, user: own.st_uid, group: own.st_gid)
    do throws(SystemError) { try replacement.finish() } catch {
      throw Failure("\(name) cannot be written: \(errorText(error.code))")
    }
  }

  private func status() throws(Failure) -> stat {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw Failure("\(words) cannot be opened: \(errorText(errno))")
    }
    return status
  }

  private func removeEmptyFolders(of name: PictureName) {
    for folder in name.folders.reversed() where unsafe rmdir("\(path)/\(folder)") != 0 { return }
  }
}

extension Screenshot.Kind {
  /// The ending that files of this kind get.
  var fileEnding: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    case .webp: "webp"
    }
  }
}
