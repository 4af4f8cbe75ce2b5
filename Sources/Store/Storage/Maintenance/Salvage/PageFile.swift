internal import Glibc
internal import Text

/// The pages of a database as its last commit left them. Reads the file without SQLite, so it also
/// works if SQLite would not open the file.
///
/// Source of the formats: https://www.sqlite.org/fileformat2.html
@safe final class PageFile {
  let pageSize: Int
  /// The number of bytes of a page that may hold cells.
  let usable: Int
  /// The number of pages. Pages are numbered from 1.
  let pageCount: Int
  private let file: Int32
  private var log: WriteAheadLog?

  /// - Throws: `.cannotOpen`.
  init(_ path: String) throws(StoreError) {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else {
      throw StoreError(.cannotOpen, message: errorText(errno), path: path)
    }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw StoreError(.cannotOpen, message: "not a regular file", path: path)
    }
    let log = WriteAheadLog(path + "-wal")
    self.log = log
    let head = Self.read(file, at: 0, 100)
    let size = log?.pageSize ?? Self.pageSize(head)
    pageSize = size
    // A store reserves no bytes at the end of a page. If the header reserves more than 32 bytes,
    // treat the number as damaged.
    let aside = head.map { Int($0[20]) } ?? 0
    usable = Self.isHeader(head) && aside <= 32 ? size - aside : size
    let length = Int(clamping: lseek(file, 0, SEEK_END))
    let inFile = (length + size - 1) / size
    // The page count in the WAL may be damaged. There cannot be more pages than the two files hold.
    pageCount = max(log.map { min($0.pageCount, inFile + $0.pagesInside) } ?? inFile, 1)
  }

  deinit { close(file) }

  /// Returns the page size according to the header, in bytes. If the header is damaged, returns
  /// 4096, the page size of every store.
  private static func pageSize(_ head: [UInt8]?) -> Int {
    guard let head, isHeader(head) else { return 4096 }
    let stated = head.number(at: 16, 2)
    let size = stated == 1 ? 65536 : stated
    return size >= 512 && size & (size - 1) == 0 ? size : 4096
  }

  private static func isHeader(_ head: [UInt8]?) -> Bool {
    head?.starts(with: Array("SQLite format 3\0".utf8)) ?? false
  }

  /// Returns the content of a page; nil if there is no such page or it cannot be read. If the file
  /// ends within the page, the rest is zeros.
  func page(_ number: Int) -> [UInt8]? {
    guard number >= 1, number <= pageCount else { return nil }
    if let page = log?.page(number) { return page }
    return Self.read(file, at: (number - 1) * pageSize, pageSize)
  }

  /// Returns the use of a page according to the pointer map; nil if the map has no valid value for
  /// it, and for pages 1 and 2.
  func use(of number: Int) -> PageUse? {
    guard number > 2 else { return nil }
    let map = self.map(of: number)
    guard map != number else { return .map }
    guard let page = self.page(map) else { return nil }
    return PageUse(rawValue: page[5 * (number - map - 1)])
  }

  private func map(of number: Int) -> Int {
    let span = usable / 5 + 1
    return 2 + (number - 2) / span * span
  }

  static func read(_ file: Int32, at offset: Int, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(file, buffer.baseAddress?.advanced(by: done), count - done, offset + done)
      }
      if got < 0 && errno == EINTR { continue }
      if got <= 0 { break }
      done += got
    }
    return done > 0 ? bytes : nil
  }
}

/// The use of a page, as the pointer map states it.
enum PageUse: UInt8 {
  case root = 1
  case free, firstOverflow, overflow, tree
  /// A page of the pointer map itself.
  case map = 255
}

extension [UInt8] {
  /// Reads a big-endian number. Bytes beyond the end count as 0.
  func number(at offset: Int, _ width: Int) -> Int {
    var value = 0
    for place in offset..<(offset + width) {
      value = value << 8 | (indices.contains(place) ? Int(self[place]) : 0)
    }
    return value
  }
}
