import Glibc
import Heatmaps
import LinuxIO
import Text
import TouchModel

/// The folder of a day while an export writes it.
final class DayFolder {
  /// The names of all files that it may have.
  static let names = DayTable.allCases.flatMap { table in
    LongForm.allCases.map { "\(table.rawValue).\($0.rawValue)" }
  }

  private let path: String
  private var files: [String: DayFile] = [:]

  init(_ path: String) { self.path = path }

  /// Returns the file of a name. The first call for a name creates the file.
  func file(_ name: String) throws(Failure) -> DayFile {
    if let file = files[name] { return file }
    let file = try DayFile(path + "/" + name)
    files[name] = file
    return file
  }

  /// Flushes all files and the folder to the disk.
  func finish() throws(Failure) {
    for file in files.values { try file.flush() }
    do throws(SystemError) { try Folder.flush(path) } catch { throw Failure("\(error)") }
  }

  /// Returns whether another folder has the same files with the same contents.
  func isSame(as other: String) throws(Failure) -> Bool {
    guard let names = try? Folder.names(other), names == files.keys.sorted() else { return false }
    for name in names {
      guard isSameFile(path + "/" + name, other + "/" + name) else { return false }
    }
    return true
  }
}

final class DayFile {
  private let path: String
  private let file: FileDescriptor

  fileprivate init(_ path: String) throws(Failure) {
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard number >= 0 else {
      throw Failure("\(path.printable(limit: 4096)) cannot be created: \(errorText(errno))")
    }
    self.path = path
    file = FileDescriptor(owning: number)
  }

  func append(_ bytes: [UInt8]) throws(Failure) {
    try write(bytes, to: file.number, name: path.printable(limit: 4096))
  }

  fileprivate func flush() throws(Failure) {
    guard fsync(file.number) == 0 else {
      throw Failure("\(path.printable(limit: 4096)) cannot be written: \(errorText(errno))")
    }
  }
}

/// Returns whether two files have the same bytes; false if one cannot be read.
private func isSameFile(_ one: String, _ other: String) -> Bool {
  do throws(SystemError) {
    let left = try FileDescriptor(opening: one, O_RDONLY)
    let right = try FileDescriptor(opening: other, O_RDONLY)
    var pieces = [[UInt8]](repeating: Array(repeating: 0, count: 1 << 16), count: 2)
    while true {
      let count = try left.read(into: &pieces[0])
      // Reads of a regular file fill the buffer until the end of the file, so different counts mean
      // different sizes.
      guard try right.read(into: &pieces[1]) == count else { return false }
      guard let count, count > 0 else { return true }
      guard pieces[0][..<count] == pieces[1][..<count] else { return false }
    }
  } catch {
    return false
  }
}
