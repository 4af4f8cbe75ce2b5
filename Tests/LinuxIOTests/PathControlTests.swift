import Foundation
import LinuxIO
import TestSupport
import Testing

/// Tests which users can change what a path leads to.
@Suite(.enabled(if: geteuid() == 0, "only root can give folders away"))
struct PathControlTests {
  private let temporary: TemporaryFolder
  private var folder: String { temporary.path }

  init() throws {
    temporary = try TemporaryFolder()
    #expect(unsafe chmod(folder, 0o755) == 0)
  }

  private func make(
    _ name: String, user: UInt32 = 0, group: UInt32? = nil, mode: UInt32 = 0o755
  ) throws {
    let path = "\(folder)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(unsafe chmod(path, mode) == 0 && chown(path, user, group ?? user) == 0)
  }

  private func link(_ name: String, to target: String, user: UInt32 = 0) {
    let path = "\(folder)/\(name)"
    #expect(unsafe symlink(target, path) == 0 && lchown(path, user, user) == 0)
  }

  private func control(_ name: String, isStrict: Bool = false) throws -> PathControl {
    try PathControl(of: name.hasPrefix("/") ? name : "\(folder)/\(name)", isStrict: isStrict)
  }

  private func user(_ id: UInt32) -> PathControl { .user(PathControl.Owner(user: id, group: id)) }

  @Test func `The owner of a folder on the path controls it`() throws {
    try make("root")
    try make("hers", user: 7001)
    try make("hers/roots")
    #expect(try control("root/file") == .rootAlone && control("missing/file") == .rootAlone)
    #expect(try control("hers/file") == user(7001) && control("hers/missing/file") == user(7001))
    #expect(try control("hers/roots/file") == user(7001))
    #expect(try control("hers//./roots/../../root/file") == user(7001))
    // Root controls the name of the folder, but not its contents.
    #expect(try control("hers") == .rootAlone)
    try make("hers/his", user: 7002)
    #expect(try control("hers/his/file") == .several([7001, 7002]))
  }

  @Test func `Links on the path are followed`() throws {
    try make("hers", user: 7001)
    link("there", to: "hers")
    link("here", to: "\(folder)/there/../there")
    link("hers/back", to: "\(folder)/root", user: 7001)
    link("loop", to: "loop")
    #expect(try control("there/file") == user(7001) && control("here/file") == user(7001))
    #expect(try control("hers/back") == user(7001))
    #expect(throws: SystemError.self) { try control("loop") }
  }

  @Test func `In a shared folder, the owner of a file or link controls its path`() throws {
    for (name, mode) in [("sticky", 0o1777), ("group", 0o775)] as [(String, UInt32)] {
      try make(name, group: 7003, mode: mode)
      try make("\(name)/roots")
      try make("\(name)/hers", user: 7001)
      link("\(name)/link", to: "\(folder)/sticky/roots", user: 7001)
      #expect(try control("\(name)/hers") == user(7001))
      // Any user can take an unused name, but that replaces no file.
      #expect(try control("\(name)/new") == .rootAlone)
      #expect(try control("\(name)/new", isStrict: true) == .anybody)
      #expect(try control("\(name)/roots", isStrict: true) == .anybody)
      // Other users can put files beside it.
      #expect(try control("\(name)/hers", isStrict: true) == .anybody)
      // A missing folder may be created by another user before it is used.
      for isStrict in [true, false] {
        #expect(try control("\(name)/missing/new", isStrict: isStrict) == .anybody)
      }
    }
    #expect(try control("sticky/roots/file", isStrict: true) == .rootAlone)
    #expect(try control("sticky/hers/file") == user(7001))
    #expect(try control("sticky/link") == user(7001))
    // Without the sticky bit, other users can move a folder or a link away, whoever owns it.
    #expect(try control("group/roots/file") == .anybody)
    #expect(try control("group/hers/file") == .anybody)
    #expect(try control("group/link") == .anybody)
    try make("alone", mode: 0o775)
    #expect(try control("alone/new", isStrict: true) == .rootAlone)
  }

  @Test func `An access control list makes a folder shared`() throws {
    try make("listed", mode: 0o775)
    let program = """
      import errno, os, struct, sys
      # acl(5) as the kernel stores it: version 2, then tag, permissions and id of each entry. The mask is tag 16.
      entries = (1, 7, -1), (2, 7, 7001), (4, 5, -1), (16, 7, -1), (32, 5, -1)
      acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
      try: os.setxattr(sys.argv[1], "system.posix_acl_access", acl)
      except OSError as error: sys.exit(0 if error.errno == errno.ENOTSUP else 1)
      sys.exit(3)
      """
    let process = try Process.run(
      URL(filePath: "/usr/bin/python3"), arguments: ["-c", program, "\(folder)/listed"])
    process.waitUntilExit()
    // Status 0: this file system does not support access control lists. 3: the list is set.
    try #require([0, 3].contains(process.terminationStatus))
    let isListed = process.terminationStatus == 3
    #expect(try control("listed/new", isStrict: true) == (isListed ? .anybody : .rootAlone))
  }

  @Test func `The error for root names the user who controls the path`() throws {
    try make("hers", user: 7001)
    #expect(PathControl.fault(of: "\(folder)/hers/file")?.contains("7001") == true)
    #expect(PathControl.fault(of: "\(folder)/file") == nil)
  }
}
