import Glibc
import LinuxIO
import Storage
import TestSupport
import Testing
import TouchgridAPI

/// `touchgrid store` as users run it.
@Suite final class StoreCareTests: UsualStoreSuite {
  private func run(_ words: String...) throws -> Program.Result {
    try Program.run(["store"] + words, in: folder)
  }

  @Test func `check reports a sound store`() throws {
    let result = try run("check", "--store", store)
    #expect(result.status == 0 && result.error == "")
    #expect(result.text.contains("ok       sessions: 3 sessions\n"))
    #expect(result.text.hasSuffix("The store is sound.\n"))
    let json = try run("check", "--store", store, "--json").text
    #expect(json.contains(#""sound":true"#) && json.contains(#""lookedAt":"3 sessions""#))
    #expect(json.contains(#""faultCount":0"#))
  }

  @Test func `If the daemon does not tell its store, the error asks for --store`() throws {
    let daemon = try StubDaemon(
      in: folder, ["GetStatus": .fault(API.NotPermitted(.read, group: "none-such"))])
    for words in [["check"], ["compact"], ["backup", folder.path("copy.db")]] {
      let result = try Program.run(["store"] + words + ["--socket", daemon.path], in: folder)
      #expect(result.status == 1 && result.error.contains("--store FILE"), "\(result.error)")
      #expect(result.error.contains("none-such"))
    }
  }

  @Test func `check says how to recover a damaged store`() throws {
    var bytes = try TemporaryFolder.contents(store)
    for index in 8192..<bytes.count { bytes[index] = 0x5a }
    let damaged = try folder.write(bytes, to: "damaged.db")
    let result = try run("check", "--store", damaged)
    #expect(result.status == 1)
    #expect((result.text + result.error).contains("touchgrid store recover \(damaged)"))
    #expect(
      result.text.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains(damaged) })
  }

  @Test func `A backup is complete, private and replaces a file only with --force`() throws {
    let copy = folder.path("copy.db")
    #expect(try run("backup", copy, "--store", store).status == 0)
    #expect(fileStatus(copy).st_mode & 0o777 == 0o600)
    let before = try TemporaryFolder.contents(copy)
    let again = try run("backup", copy, "--store", store)
    #expect(again.status == 1 && again.error.contains("exists, and was not changed"))
    #expect(again.error.contains("--force"))
    #expect(try TemporaryFolder.contents(copy) == before)
    #expect(try run("backup", copy, "--store", store, "--force").status == 0)
    #expect(try Store(reading: copy).sessions(in: .always).count == 3)
    #expect(try folder.names.allSatisfy { !$0.hasPrefix(".touchgrid-") })
  }

  @Test func `A backup with an unused WAL can be replaced, one with changes cannot`() throws {
    let copy = folder.path("copy.db")
    #expect(try run("backup", copy, "--store", store).status == 0)
    #expect(try run("check", "--store", copy).status == 0)
    try #require(unsafe access(copy + "-wal", F_OK) == 0)
    let again = try run("backup", copy, "--store", store, "--force")
    #expect(again.status == 0, "\(again.error)")
    #expect(try Store(reading: copy).sessions(in: .always).count == 3)
    _ = try folder.write("changes", to: "copy.db-wal")
    let refused = try run("backup", copy, "--store", store, "--force")
    #expect(refused.status == 1 && refused.error.contains("copy.db-wal"))
    let stream = try run("backup", "-", "--store", store)
    #expect(stream.status == 1 && stream.error.contains("standard output"))
  }

  @Test func `Errors name the files that the user named`() throws {
    let bytes = try TemporaryFolder.contents(store)
    var ruined = bytes
    // Overwrite the pointer to the cells in every page but the first.
    for page in stride(from: 4096, to: bytes.count, by: 4096) {
      ruined[page + 5] = 0xff
      ruined[page + 6] = 0xff
    }
    let damaged = try folder.write(ruined, to: "damaged.db")
    let copied = try run("backup", folder.path("copy.db"), "--store", damaged)
    #expect(copied.status == 1 && !copied.error.contains(".touchgrid-"), "\(copied.error)")
    #expect(copied.error.contains("touchgrid store check --store \(damaged)"))
    let checked = try run("check", "--store", damaged)
    let words = checked.text + checked.error
    #expect(!words.contains("***") && !words.contains("\\u{a}"), "\(words)")
    #expect(!words.contains("what else") && !words.contains("systemctl"), "\(words)")
    let text = try folder.write(String(repeating: "Not a store.\n", count: 1000), to: "text")
    let none = try run("check", "--store", text)
    #expect(none.status == 65 && none.error.contains("not a Touchgrid store"))
    for (path, status) in [(folder.path("none.db"), 1), (folder.path("."), 65)] as [(String, Int32)]
    {
      let result = try run("check", "--store", path)
      #expect(result.status == status && !result.error.contains("write in it"), "\(result.error)")
    }
  }

  @Test func `compact refuses a store in use and keeps its owner and mode`() throws {
    if geteuid() == 0 { unsafe chown(store, 12_345, 12_346) }
    unsafe chmod(store, 0o640)
    do {
      let lock = try FileLock(store)
      let result = try run("compact", "--store", store)
      #expect(result.status == 1 && result.error.contains("systemctl stop touchgridd"))
      withExtendedLifetime(lock) {}
    }
    let owner = fileStatus(store).st_uid
    let result = try run("compact", "--store", store)
    #expect(result.status == 0 && result.text.contains(" before, "), "\(result.error)")
    #expect(fileStatus(store).st_uid == owner && fileStatus(store).st_mode & 0o777 == 0o640)
    for ending in ["-wal", "-shm"] where unsafe access(store + ending, F_OK) == 0 {
      #expect(fileStatus(store + ending).st_uid == owner)
    }
    #expect(try Store(reading: store).sessions(in: .always).count == 3)
  }

  @Test func `A recovered store has the owner and mode of the damaged one`() throws {
    if geteuid() == 0 { unsafe chown(store, 12_345, 12_346) }
    unsafe chmod(store, 0o640)
    var bytes = try TemporaryFolder.contents(store)
    for index in 0..<100 { bytes[index] = 0 }
    try folder.write(bytes, to: "store.db")
    let result = try run("recover", store)
    #expect(result.status == 0 && result.text.contains("3 sessions"), "\(result.error)")
    let new = store + ".recovered"
    #expect(fileStatus(new).st_uid == fileStatus(store).st_uid)
    #expect(fileStatus(new).st_mode & 0o777 == 0o640)
    #expect(try TemporaryFolder.contents(store) == bytes)
    #expect(try run("check", "--store", new).status == 0)
    let again = try run("recover", store)
    #expect(again.error.contains("exists, and was not changed") && !again.error.contains("--force"))
    #expect(result.text.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains(new) })
  }

  @Test func `recover prints JSON`() throws {
    let json = try run("recover", store, "--json").text
    for name in ["lostSessions", "cutShort", "lostDays"] {
      #expect(json.contains("\"\(name)\":[]"), "\(json)")
    }
    #expect(json.contains(#""daysFromSessions":{"#))
  }
}
