internal import Glibc

/// The committed pages in a `-wal` file.
@safe final class WriteAheadLog {
  let pageSize: Int
  /// The number of pages of the database after the last commit.
  let pageCount: Int
  private let file: Int32
  /// The offset of the last committed version of each page, by page number.
  private let offsets: [Int: Int]
  var pagesInside: Int { offsets.count }
  /// The numbers of the committed pages, in ascending order.
  var pages: [Int] { offsets.keys.sorted() }

  /// - Returns: nil if the file cannot be opened or contains no commit.
  init?(_ path: String) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { return nil }
    guard let frames = Self.frames(file) else {
      close(file)
      return nil
    }
    self.file = file
    (pageSize, pageCount, offsets) = frames
  }

  deinit { close(file) }

  func page(_ number: Int) -> [UInt8]? {
    offsets[number].flatMap { PageFile.read(file, at: $0, pageSize) }
  }

  private static func frames(_ file: Int32) -> (size: Int, count: Int, offsets: [Int: Int])? {
    guard let head = PageFile.read(file, at: 0, 32), head.number(at: 0, 4) & ~1 == 0x377f_0682,
      head.number(at: 4, 4) == 3_007_000
    else { return nil }
    let size = head.number(at: 8, 4)
    guard (512...65536).contains(size), size & (size - 1) == 0 else { return nil }
    var sum = LogChecksum(isBigEndian: head[3] & 1 == 1)
    sum.add(head[..<24])
    guard sum.isAt(head, 24) else { return nil }
    var (committed, open): ([Int: Int], [Int: Int]) = ([:], [:])
    var count = 0
    var offset = 32
    // The log ends at the first frame that belongs to an earlier log or is incomplete.
    while let frame = PageFile.read(file, at: offset, 24 + size),
      frame[8..<16].elementsEqual(head[16..<24])
    {
      sum.add(frame[..<8])
      sum.add(frame[24...])
      guard sum.isAt(frame, 16) else { break }
      open[frame.number(at: 0, 4)] = offset + 24
      let pages = frame.number(at: 4, 4)
      if pages > 0 {
        committed.merge(open) { $1 }
        open = [:]
        count = pages
      }
      offset += 24 + size
    }
    return count > 0 ? (size, count, committed) : nil
  }
}

/// The checksum of the WAL's header and frames: two sums over pairs of 32-bit words.
private struct LogChecksum {
  let isBigEndian: Bool
  private var sums: (UInt32, UInt32) = (0, 0)

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
        sums.0 &+= unsafe word(bytes, offset) &+ sums.1
        sums.1 &+= unsafe word(bytes, offset + 4) &+ sums.0
      }
    }
  }

  private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }

  func isAt(_ bytes: [UInt8], _ offset: Int) -> Bool {
    bytes.number(at: offset, 4) == Int(sums.0) && bytes.number(at: offset + 4, 4) == Int(sums.1)
  }
}
