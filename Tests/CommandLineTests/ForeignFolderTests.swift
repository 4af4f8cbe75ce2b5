import Glibc
import LinuxIO
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

/// Commands that root runs in a folder where another user can replace any file by a link, a pipe or
/// another user's file.
@Suite(.enabled(if: geteuid() == 0, "only root can work for another user"))
struct ForeignFolderTests {
  private let place: ForeignFolder

  init() throws { place = try ForeignFolder() }

  /// Commands with every verb that opens a store or writes a file, as `ForeignFolder.run` takes
  /// them.
  static let commands = [
    "store check --store S", "store compact --store S", "store recover S",
    "store recover S --into O/new.db", "store backup T/copy.db --store S",
    "store backup T/copy.db --force --store S", "store backup O/copy.db --store S",
    "forget --all --yes --store S", "forget --session 1 --yes --store S", "sessions --store S",
    "screens --store S", "heatmap --store S", "heatmap --store S -o T/map.csv",
    "heatmap menu --store S -o O/map.png", "compare build=1.4 build=1.5 --store S -o T/map.csv",
    "report --store S -o T/report.html", "export --store S -o T/export",
    "export --fleet --kiosk a --store S -o T/fleet", "import T/objects -o T/new.db",
    "import O/objects -o T/new.db",
    // These use a store of root's own.
    "heatmap --store O/store.db -o T/map.csv", "report --store O/store.db -o T/report.html",
    "export --store O/store.db -o T/export", "store backup T/copy.db --store O/store.db",
    "export --fleet --kiosk a --store O/store.db -o T/fleet",
    "store backup T/copy.db --force --store O/store.db", "store recover O/store.db --into T/new.db",
    "heatmap menu --store O/store.db --background T/map.png -o O/map.png",
    // A configuration that is not in /etc.
    "mask add pin --save --config T/new.toml", "control remove pay menu --save --config T/new.toml",
    "setup --no-questions --no-masks --config T/new.toml",
    "setup --no-questions --no-masks --replace --config T/new.toml",
    "picture add menu O/shot --folder T", "picture add checkout/pay O/shot --folder T",
    "picture add menu T/shot --folder O/pictures", "picture remove menu --folder T",
    "picture list --folder T", "picture show menu --folder T",
    "picture show menu --folder T -o O/copy", "picture show menu --folder O/pictures -o T/copy",
    "heatmap menu --store O/store.db -o O/map.png", "report --store O/store.db -o O/report.html",
  ]

  @Test(arguments: commands)
  func `Root's files are safe from links and pipes in another user's folder`(command: String) throws
  {
    // A link or pipe in the place of one of SQLite's own files ends a command before it reaches the
    // other files. So these names are tested separately, once for each way to open a store.
    let beside = ["store.db-wal", "store.db-shm", "store.db-journal"]
    let opens = ["store ", "forget ", "sessions ", "export --store "]
    let made = [
      "store.db.recovered", "copy.db", "copy.db-wal", "new.db", "new.db-wal", "map.csv", "map.png",
      "report.html", "export", "fleet", "objects", "new.toml", "new.toml.old", "menu.png",
      "menu.webp", "shot", "checkout", "copy",
    ]
    let pictures = ["picture ", "O/map.png", "report.html"]
    let isOpening =
      command.split(separator: " ").contains("S") && opens.contains(where: command.hasPrefix)
    for trap in ForeignFolder.Trap.allCases {
      for names in isOpening ? [beside, made] : [made] {
        let place = try ForeignFolder()
        _ = try SampleStore.usual(in: place.own)
        if pictures.contains(where: { command.contains($0) }) { try place.addPictures() }
        for name in names { place.set(trap, at: name) }
        let result = try place.run(command, environment: ["TOUCHGRID_PICTURES": place.theirs.path])
        try place.expectSafe(result, "\(command), \(trap)")
      }
    }
  }

  @Test(arguments: ForeignFolder.Trap.allCases)
  func `A saved change leaves no former file at a trap`(trap: ForeignFolder.Trap) throws {
    let text = "[session]\nidle_timeout = \"30s\"\n"
    for (command, former) in [
      ("mask add pin --save --config T/own.toml", "own.toml.old-save"),
      ("setup --no-questions --no-masks --replace --config T/own.toml", "own.toml.old"),
    ] {
      let place = try ForeignFolder()
      _ = try place.theirs.write(text, to: "own.toml")
      try place.give()
      place.set(trap, at: former)
      let result = try place.run(command)
      try place.expectSafe(result, "\(command), \(trap)")
      #expect(fileStatus(place.theirs.path("own.toml")).st_uid == ForeignFolder.user, "\(result)")
    }
  }

  @Test(arguments: [
    "store recover S", "store compact --store S", "store backup T/copy.db --store S",
    "export --store S -o T/export", "report --store O/store.db -o T/report.html",
    "store backup T/copy.db --store O/store.db", "picture add checkout/pay O/shot --folder T",
    "picture add menu O/shot --folder T",
  ])
  func `Root's files are safe from links that appear during a command`(command: String) throws {
    _ = try SampleStore.usual(in: place.own)
    try place.addPictures()
    try place.expectSafeUnderAttack(6) { try place.run(command) }
  }

  @Test func `Root writes no objects through a link in a folder that others can write in`() throws {
    _ = try SampleStore.usual(in: place.own)
    let (shared, inner) = (place.own.path("shared"), place.own.path("inner"))
    for mode: UInt32 in [0o777, 0o1777, 0o775] {
      #expect(unsafe mkdir(shared, 0o700) == 0 && mkdir(inner, 0o700) == 0)
      #expect(unsafe chown(shared, 0, ForeignFolder.user) == 0 && chmod(shared, mode) == 0)
      #expect(unsafe symlink(inner, shared + "/in") == 0)
      #expect(unsafe lchown(shared + "/in", ForeignFolder.user, ForeignFolder.user) == 0)
      let result = try place.run("export --fleet --kiosk a --store O/store.db -o O/shared")
      #expect(result.status == 1 && result.error.contains("root does not"), "\(result)")
      #expect(unsafe rmdir(inner) == 0)
      for name in ["/in", "/.touchgrid-fleet", "/state.json"] { unsafe unlink(shared + name) }
      #expect(unsafe rmdir(shared) == 0)
    }
  }

  @Test func `Root lists no folder that another user's link leads to`() throws {
    let inner = place.own.path("inner")
    #expect(unsafe mkdir(inner, 0o700) == 0 && mkdir(inner + "/very-secret", 0o700) == 0)
    #expect(unsafe mkdir(place.theirs.path("objects"), 0o755) == 0)
    #expect(unsafe mkdir(place.theirs.path("objects/in"), 0o755) == 0)
    #expect(unsafe symlink(inner, place.theirs.path("objects/in/a")) == 0)
    try place.give()
    let result = try place.run("import T/objects -o O/new.db")
    #expect(result.status == 1 && !result.error.contains("very-secret"), "\(result)")
    #expect(unsafe access(place.own.path("new.db"), F_OK) != 0)
  }

  @Test func `Files that root creates in another user's folder belong to that user`() throws {
    _ = try SampleStore.usual(in: place.own)
    for command in [
      "store backup T/copy.db --store S", "store recover S", "heatmap --store S -o T/map.csv",
      "report --store S -o T/report.html", "export --store S -o T/export",
      "heatmap --store O/store.db -o T/other.csv", "export --store O/store.db -o T/exported",
      "store backup T/other.db --store O/store.db",
    ] {
      let result = try place.run(command)
      #expect(result.status == 0 && !result.error.contains("this ran as"), "\(result)")
    }
    let names = try place.theirs.names
    for name in [
      "copy.db", "store.db.recovered", "map.csv", "report.html", "export", "other.csv", "exported",
      "other.db",
    ] {
      #expect(names.contains(name), "\(name)")
    }
    for name in names {
      #expect(fileStatus(place.theirs.path(name)).st_uid == ForeignFolder.user, "\(name)")
    }
    #expect(!names.contains { $0.hasPrefix(".touchgrid-") })
    #expect(fileStatus(place.theirs.path("copy.db")).st_mode & 0o777 == 0o600)
  }

  @Test func `Files that root writes into a folder of its own belong to root`() throws {
    for command in [
      "store backup O/copy.db --store S", "store recover S --into O/new.db",
      "heatmap --store S -o O/map.csv", "heatmap --store S -o O/map.png",
      "report --store S -o O/report.html",
    ] {
      let result = try place.run(command)
      #expect(result.status == 0 && result.error == "", "\(command): \(result)")
    }
    for name in ["copy.db", "map.csv", "map-menu.png", "map-checkout-pay.png", "report.html"] {
      #expect(fileStatus(place.own.path(name)).st_uid == 0, "\(name)")
    }
    #expect(fileStatus(place.own.path("copy.db")).st_mode & 0o777 == 0o600)
    // The recovered store gets the damaged store's owner and mode.
    let recovered = fileStatus(place.own.path("new.db"))
    #expect(recovered.st_uid == ForeignFolder.user && recovered.st_mode & 0o777 == 0o666)
    for name in ["copy.db", "new.db"] {
      #expect(try Store(reading: place.own.path(name)).sessions(in: .always).count == 3)
    }
    #expect(try place.theirs.names.filter { $0.hasPrefix(".") } == [])
    #expect(try place.own.names.filter { $0.hasPrefix(".") } == [])
  }

  @Test func `If acting as another user is the reason of an error, the error says so`() throws {
    let result = try place.run("export --store S -o O/export")
    #expect(result.status == 1 && result.error.contains("this ran as the user 12345"))
    #expect(try !place.own.names.contains("export"))
    // The store now belongs to root, so the other user cannot read it, although it is in that
    // user's folder.
    unsafe chown(place.store, 0, 0)
    unsafe chmod(place.store, 0o600)
    let unread = try place.run("store check --store S")
    #expect(unread.status == 1 && unread.error.contains("this ran as the user 12345"))
  }

  @Test func `Root opens no store whose path several users can change`() throws {
    let inner = place.theirs.path("inner")
    #expect(unsafe mkdir(inner, 0o777) == 0 && lchown(inner, 54_321, 54_321) == 0)
    #expect(unsafe rename(place.store, inner + "/store.db") == 0)
    let before = try FolderListing.names(inner)
    let result = try place.run("store check --store T/inner/store.db")
    #expect(result.status == 1 && result.error.contains("sudo -u 12345"), "\(result)")
    #expect(try FolderListing.names(inner) == before)
  }

  @Test func `In a shared folder, root writes files but opens no store`() throws {
    let shared = place.own.path("shared")
    #expect(unsafe mkdir(shared, 0o777) == 0 && chmod(shared, 0o1777) == 0)
    let copied = try place.run("store backup O/shared/copy.db --store S")
    #expect(copied.status == 0, "\(copied)")
    #expect(fileStatus(shared + "/copy.db").st_mode & 0o777 == 0o600)
    let result = try place.run("store check --store O/shared/copy.db")
    #expect(result.status == 1 && result.error.contains("other users can write"), "\(result)")
    #expect(try FolderListing.names(shared) == ["copy.db"])
    // touchgrid, run by root, acts as the other user here. A link may make it overwrite that user's
    // own files, but never root's.
    #expect(unsafe symlink(place.secret, shared + "/map.csv") == 0)
    #expect(unsafe lchown(shared + "/map.csv", ForeignFolder.user, 12_346) == 0)
    try place.expectSafe(place.run("heatmap --store S -o O/shared/map.csv"))
    _ = try SampleStore.usual(in: place.own)
    try place.expectSafe(place.run("heatmap --store O/store.db -o O/shared/map.csv"))
  }

  @Test func `Root does not open a path of root's that only another user's daemon names`() throws {
    let path = try SampleStore.usual(in: place.own)
    var status = SampleReplies.status()
    status.store.path = path
    let reply = status
    let daemon = try StubDaemon(in: place.own, ["GetStatus": .reply(reply)])
    for words in ["store check", "store compact", "store backup O/copy.db"] {
      let result = try place.run("\(words) --socket \(daemon.path)")
      #expect(result.status == 1 && result.error.contains("belongs to root; if that"), "\(result)")
    }
    status.store.path = place.store
    let other = status
    let folder = try TemporaryFolder()
    let theirs = try StubDaemon(in: folder, ["GetStatus": .reply(other)])
    #expect(try place.run("store check --socket \(theirs.path)").status == 0)
  }

  // MARK: Sessions of other users

  /// Creates the runtime directory of a login session, as `systemctl --user` expects it.
  private func makeRuntimeFolder() throws {
    #expect(unsafe mkdir(place.theirs.path("systemd"), 0o700) == 0)
    _ = try place.theirs.write("", to: "systemd/private")
    try place.give()
    try place.own.write(
      Array("#!/bin/sh\ntouch '\(place.own.path("called"))'\n".utf8), to: "systemctl")
    unsafe chmod(place.own.path("systemctl"), 0o700)
  }

  @Test func `In another user's login session, root does nothing`() throws {
    try makeRuntimeFolder()
    place.set(.link, at: "touchgrid-overlay")
    let folder = place.own.path("run")
    #expect(unsafe symlink(place.theirs.path, folder) == 0)
    let before = try place.theirs.names
    for runtime in [place.theirs.path, folder] {
      let environment = [
        "XDG_RUNTIME_DIR": runtime, "WAYLAND_DISPLAY": "wayland-0",
        "PATH": place.own.path + ":/usr/bin:/bin",
      ]
      for verb in ["on", "off", "toggle", "status"] {
        let result = try place.run("overlay \(verb)", environment: environment)
        #expect(result.status == 1 && result.error.contains("without sudo"), "\(result)")
        try place.expectSafe(result)
      }
      for program in ["touchgrid-overlay", "touchgrid-follow"] {
        let result = try place.run(
          "", program: Program.path.replacing(#/touchgrid$/#, with: program),
          environment: environment)
        #expect(result.status == 69 && result.error.contains("without sudo"), "\(result)")
      }
    }
    #expect(try place.theirs.names == before && !place.own.names.contains("called"))
  }

  @Test func `Root runs no command of another user's configuration`() throws {
    let folders = ["config", "config/touchgrid"]
    for name in folders { #expect(unsafe mkdir(place.theirs.path(name), 0o755) == 0) }
    let marker = place.own.path("called")
    _ = try place.theirs.write(
      "[[source]]\nkind = \"command\"\ncommand = [\"touch\", \"\(marker)\"]\n",
      to: "config/touchgrid/follow.toml")
    for name in folders + ["config/touchgrid/follow.toml"] {
      unsafe lchown(place.theirs.path(name), ForeignFolder.user, 12_346)
    }
    let result = try place.run(
      "--dry-run", program: Program.path.replacing(#/touchgrid$/#, with: "touchgrid-follow"),
      environment: ["XDG_CONFIG_HOME": place.theirs.path("config")])
    #expect(result.status == 78 && result.error.contains("without sudo"), "\(result)")
    #expect(try !place.own.names.contains("called"))
  }

  // MARK: The daemon

  private func replay(_ store: String, _ place: ForeignFolder) throws -> Program.Result {
    try place.run(
      "--store \(store) --replay \(Project.path("Recordings/kiosk-demo.evemu"))",
      program: Program.path + "d")
  }

  @Test func `A daemon that root starts works as the store's owner`() throws {
    for store in ["S", "T/new.db"] {
      let result = try replay(store, place)
      #expect(result.status == 0 && result.error.contains("as the user 12345"), "\(result)")
    }
    #expect(try Store(reading: place.store).sessions(in: .always).count > 3)
    for name in try place.theirs.names {
      #expect(fileStatus(place.theirs.path(name)).st_uid == ForeignFolder.user, "\(name)")
    }
  }

  @Test func `Root's files are safe when root starts a daemon in another user's folder`() throws {
    for trap in ForeignFolder.Trap.allCases {
      for name in ["store.db", "store.db-wal", "store.db-shm", "store.db-journal", "new.db"] {
        let place = try ForeignFolder()
        place.set(trap, at: name)
        for store in ["S", "T/new.db"] { try place.expectSafe(replay(store, place), "\(name)") }
      }
    }
    try place.expectSafeUnderAttack(4) { try replay("T/new.db", place) }
  }

  @Test func `A daemon does not start on a store whose path several users can change`() throws {
    unsafe chmod(place.own.path, 0o777)
    let result = try replay("O/new.db", place)
    #expect(
      result.status == 1 && result.error.contains("root does not use this path for a store"),
      "\(result)")
    #expect(try !place.own.names.contains("new.db"))
  }

  @Test func `Root creates no socket in another user's folder`() throws {
    let before = try place.theirs.names
    let error = #expect(throws: SystemError.self) {
      _ = try UnixListener(path: place.theirs.path("socket"))
    }
    #expect(try error?.code == EPERM && place.theirs.names == before)
  }
}
