import Glibc
import Testing
import TouchgridAPI

@testable import TouchgridOverlay

@Suite struct WordsTests {
  private func words(_ backend: String?, _ environment: [String: String]) -> String {
    OverlayFailure.words(backend, user: 1000) { environment[$0] }
  }

  @Test func `Errors name missing variables and the address that was tried`() {
    let wayland = ["XDG_RUNTIME_DIR": "/run/user/7", "WAYLAND_DISPLAY": "wayland-9"]
    #expect(
      words("wayland", wayland)
        == "no Wayland compositor answers at /run/user/7/wayland-9: are WAYLAND_DISPLAY and "
        + "XDG_RUNTIME_DIR right?")
    #expect(
      words("wayland", ["WAYLAND_DISPLAY": "/tmp/w"])
        == "no Wayland compositor answers at /tmp/w: is WAYLAND_DISPLAY right, and is the desktop "
        + "running?")
    let folderless = words("wayland", ["WAYLAND_DISPLAY": "wayland-9"])
    #expect(folderless.contains("XDG_RUNTIME_DIR, the folder of its socket, is not set"))
    #expect(folderless.contains("/run/user/1000"))
    let nameless = words("wayland", ["XDG_RUNTIME_DIR": "/run/user/7"])
    #expect(nameless.contains("/run/user/7/wayland-0, the default; set WAYLAND_DISPLAY to"))
    #expect(words("x11", [:]).contains("DISPLAY is not set"))
    #expect(words("x11", ["DISPLAY": ":77"]).hasPrefix("no X server answers at DISPLAY=:77: "))
  }

  @Test func `The error without a desktop does not suggest the command just used`() {
    let text = words(nil, [:])
    #expect(text.contains("neither WAYLAND_DISPLAY nor DISPLAY is set"))
    #expect(!text.contains("touchgrid overlay"))
  }

  @Test func `Control characters in a line for systemd are escaped`() {
    #expect(ServiceReport.line("a\nREADY=1\u{1b}[31m\r") == #"a\u{a}READY=1\u{1b}[31m\u{d}"#)
  }

  @Test func `Socket paths at which no daemon can be are refused`() {
    #expect(OverlayOptions.fault(ofSocket: "") == "it is empty")
    #expect(OverlayOptions.fault(ofSocket: "/etc/passwd") == "/etc/passwd is not a socket")
    #expect(OverlayOptions.fault(ofSocket: "/etc") == "/etc is not a socket")
    let long = "/" + String(repeating: "a", count: 107)
    #expect(
      OverlayOptions.fault(ofSocket: long)?
        .hasSuffix("is longer than 107 bytes, the limit for the path of a socket") == true)
    #expect(OverlayOptions.fault(ofSocket: String(long.dropLast())) == nil)
    #expect(OverlayOptions.fault(ofSocket: "/nonexistent/socket") == nil)
  }
}
