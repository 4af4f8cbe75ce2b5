import Glibc
import TestSupport
import Testing

/// `touchgrid try`, with the real daemon.
@Suite final class TryTests: FolderSuite {
  private func run(_ arguments: String..., path: String? = nil) throws -> Program.Result {
    let binaries = try Program.path.split(separator: "/").dropLast().joined(separator: "/")
    return try Program.run(
      ["try", "--recording", path ?? Project.path("Recordings/kiosk-demo.evemu")] + arguments,
      environment: ["TMPDIR": folder.path, "PATH": "/\(binaries):/usr/bin:/bin"], in: folder)
  }

  @Test func `What an app shows is counted, and the daemon ends with the app`() throws {
    let result = try run(
      "--", "sh", "-c",
      """
      set -e
      touchgrid begin-session
      touchgrid control add menu all 0,0,1280,800
      touchgrid set-screen menu
      until [ "$(touchgrid controls menu --json | grep -o '"hits":[1-9]')" ]; do sleep 0.1; done
      touchgrid get-screen
      exit 7
      """)
    #expect(result.status == 7, "\(result.error)")
    #expect(result.text.hasSuffix("menu\n"))
    let store = try #require(result.error.split(separator: " ").last).dropLast()
    #expect(store.hasSuffix("/store.db"), "\(result.error)")
    let screens = try Program.run(["screens", "--store", String(store)], in: folder)
    #expect(screens.text.contains("menu"))
    let socket = store.dropLast("store.db".count) + "socket"
    #expect(unsafe access(String(socket), F_OK) != 0)
  }

  @Test func `Errors say what to do`() throws {
    let missing = try run(path: folder.path("none"))
    #expect(missing.status == 1 && missing.error.contains("none"), "\(missing.error)")
    let unknown = try run("--", "no-such-app")
    #expect(unknown.status == 127 && unknown.error.contains("no-such-app cannot be run"))
  }
}
