import Foundation
import LinuxIO
import TestSupport
import Testing
import TouchModel

@testable import Storage
@testable import TouchgridDaemon

/// Changes to the store's file while the daemon has it open.
@Suite final class StoreFileTests: FolderSuite {
  private var path: String { folder.path("touchgrid.db") }

  private func file(_ path: String? = nil) throws -> StoreFile {
    try StoreFile(
      path ?? self.path, options: StoreOptions(busyMilliseconds: 200), log: Log(level: .error))
  }

  private func open(_ file: StoreFile) throws -> StoreFile.Start {
    try file.open(movesDamagedAside: true).start
  }

  private func damage(_ path: String? = nil) throws {
    try Data(repeating: 0x55, count: 5000).write(to: URL(filePath: path ?? self.path))
    for ending in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: (path ?? self.path) + ending)
    }
  }

  private func names(_ part: String) throws -> [String] {
    try folder.names.filter { $0.contains(part) }
  }

  @Test func `A replacement continues the numbers that the daemon knows`() throws {
    let file = try file()
    let start = try open(file)
    #expect(start.firstSession == 1 && start.run == 1)
    try damage()
    let store = try file.replace(after: 17)
    #expect(try store.nextSessionID == 18)
    #expect(try store.beginRun(at: .init(milliseconds: 0)) == 2)
    #expect(try names(".damaged-").count == 1)
    #expect(
      file.movedAside.map { ($0 as NSString).lastPathComponent } == (try names(".damaged-"))[0])
    // The daemon still has the store's lock.
    #expect(throws: DaemonError.self) { _ = try self.file() }
  }

  @Test func `A replacement that failed on a full disk succeeds when there is space`() throws {
    try #require(geteuid() == 0, "only root can mount")
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let mounted = try run(["mount", "-t", "tmpfs", "-o", "size=512k,mode=755", "tmpfs", disk])
    try #require(mounted.status == 0, "\(mounted.output)")
    defer { _ = try? run(["umount", "-l", disk]) }
    let path = disk + "/touchgrid.db"
    let file = try file(path)
    _ = try open(file)
    try damage(path)
    try run(["dd", "if=/dev/zero", "of=\(disk)/ballast", "bs=1k", "count=1000"])
    for _ in 0..<3 {
      let error = #expect(throws: StoreError.self) { _ = try file.replace(after: 3) }
      #expect(error?.code == .full)
    }
    try FileManager.default.removeItem(atPath: disk + "/ballast")
    #expect(try file.replace(after: 3).nextSessionID == 4)
    let names = try FileManager.default.contentsOfDirectory(atPath: disk)
    #expect(names.count == 2 && !names.contains { $0.contains(".new-") }, "\(names)")
  }

  @Test func `More than three replacements within an hour are refused`() throws {
    let file = try file()
    _ = try open(file)
    for _ in 0..<3 {
      try damage()
      _ = try file.replace()
    }
    try damage()
    let fourth = #expect(throws: StoreError.self) { _ = try file.replace() }
    #expect(fourth?.isTransient == true, "the daemon retries later")
    #expect(try names(".damaged-").count == 3)
    // A restarted daemon does not replace the store either.
    #expect(throws: StoreError.self) { _ = try self.open(file) }
    #expect(try names(".damaged-").count == 3)
    // Rename the files, as if an hour had passed.
    for (number, name) in try names(".damaged-").enumerated() {
      try FileManager.default.moveItem(
        atPath: folder.path(name),
        toPath: folder.path("touchgrid.db.damaged-20240501T000007Z-\(number + 2)"))
    }
    _ = try file.replace()
    #expect(try names(".damaged-").count == 4)
  }

  @Test func `A store that another daemon has created in the place is not taken`() throws {
    let first = try file()
    _ = try open(first)
    try FileManager.default.removeItem(atPath: path)
    let second = try file()
    #expect(try open(second).firstSession == 1)
    for _ in 0..<3 {
      let error = #expect(throws: StoreError.self) { _ = try first.replace() }
      #expect(error?.code == .busy)
    }
    #expect(try names(".damaged-").isEmpty && names(".new-").isEmpty)
    #expect(throws: DaemonError.self) { _ = try self.file() }
    _ = second.movedAside
  }

  @Test func `The lock of a moved file does not hold for the file in its place`() throws {
    let first = try FileLock(path)
    let before = first.isOf(path)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
    let after = first.isOf(path)
    let second = try FileLock(path)
    let isSecond = second.isOf(path)
    #expect(before && !after && isSecond)
    #expect(throws: SystemError.self) { _ = try FileLock(self.path + ".none", makes: false) }
  }
}
