import Glibc
import LinuxIO
import TestSupport
import Testing

@testable import TouchgridCommands

/// The desktop on which the crosses are drawn.
@Suite struct DesktopSessionTests {
  private func process(
    _ folder: TemporaryFolder, _ number: Int, user: UInt32, _ variables: [String]
  ) throws {
    for name in ["proc", "proc/\(number)"] { unsafe mkdir(folder.path(name), 0o755) }
    _ = try folder.write(
      "Name:\tsway\nUid:\t\(user)\t0\t0\t0\nGid:\t\(user)\t0\t0\t0\n", to: "proc/\(number)/status")
    _ = try folder.write(variables.joined(separator: "\0"), to: "proc/\(number)/environ")
  }

  @Test func `The desktop of each user is found, Wayland before X11, and never root's`() throws {
    let folder = try TemporaryFolder()
    try process(folder, 1, user: 0, ["WAYLAND_DISPLAY=wayland-0", "XDG_RUNTIME_DIR=/run"])
    try process(folder, 20, user: 1000, ["HOME=/home/a", "PATH=/x"])
    try process(folder, 21, user: 1000, ["DISPLAY=:0", "HOME=/home/a", "LD_PRELOAD=/evil.so"])
    try process(
      folder, 22, user: 1000, ["WAYLAND_DISPLAY=wayland-1", "XDG_RUNTIME_DIR=/run/a"])
    // A compositor that has ended, and an ssh with -X.
    try process(
      folder, 123, user: 1000, ["WAYLAND_DISPLAY=wayland-9", "XDG_RUNTIME_DIR=/run/a"])
    try process(folder, 23, user: 1001, ["DISPLAY=:1.0", "=x", "y", "WAYLAND_DISPLAY=gone"])
    try process(folder, 24, user: 1002, ["DISPLAY=localhost:10.0"])
    let processes = DesktopSession.processes(root: folder.path)
    #expect(processes.map(\.owner.user) == [1000, 1001, 1002])
    #expect(processes.first?.folders.first?.hasSuffix("/123") == true)
    let folders = processes.flatMap(\.folders)
    let sockets = ["/run/a/wayland-1", "/tmp/.X11-unix/X0", "/tmp/.X11-unix/X1"]
    // The folder of another user's process is that of a process which got the number later.
    func environment(_ user: UInt32) -> [String: String]? {
      DesktopSession.environment(of: folders, PathControl.Owner(user: user, group: user)) {
        sockets.contains($0)
      }
    }
    #expect(
      environment(1000) == ["WAYLAND_DISPLAY": "wayland-1", "XDG_RUNTIME_DIR": "/run/a"])
    #expect(environment(1001) == ["DISPLAY": ":1.0"])
    #expect(environment(1002) == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can start a process as another user"))
  func `The variables of a running desktop are read, within a time`() throws {
    let owner = PathControl.Owner(user: 12_348, group: 12_348)
    let socket = "/tmp/touchgrid-test-wayland-\(getpid())"
    let app = try UserProcess(
      [
        "/usr/bin/python3", "-c",
        "import socket, time; socket.socket(socket.AF_UNIX).bind('\(socket)'); time.sleep(600)",
      ], environment: ["WAYLAND_DISPLAY": socket, "SECRET": "x"], as: owner)
    defer { unsafe unlink(socket) }
    try withExtendedLifetime(app) {
      func found() -> [String: String]? {
        let all = DesktopSession.processes().first { $0.owner.user == owner.user }
        return DesktopSession.environment(of: all?.folders ?? [], owner)
      }
      // The socket is there a moment after the process.
      try waitUntil { found() != nil }
      #expect(found() == ["WAYLAND_DISPLAY": socket])
      #expect(throws: Failure.self) { try DesktopSession.all(of: "12348", within: 0) }
    }
    #expect(try DesktopSession.all(of: "12349") == [])
  }
}
