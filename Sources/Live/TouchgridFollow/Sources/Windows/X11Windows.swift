internal import CWindows
internal import LinuxIO

/// The active window of an X server, as its window manager reports it; if there is no window
/// manager, the topmost window.
@safe final class X11Windows: WindowSystem {
  static let name = "the X server"

  private let x11: OpaquePointer

  init() throws(WindowSystemRefusal) {
    guard let x11 = unsafe touchgrid_x11_open() else {
      let display = Environment.value("DISPLAY")
      throw WindowSystemRefusal(
        reason: display.map {
          "no X server answers at DISPLAY=\($0), or this user has no access (XAUTHORITY)"
        }
          ?? "DISPLAY, which names the X server (such as :0), is not set")
    }
    unsafe self.x11 = x11
  }

  deinit { unsafe touchgrid_x11_close(x11) }

  var descriptor: Int32 { unsafe touchgrid_x11_descriptor(x11) }

  func readPending() -> Bool? {
    let outcome = unsafe touchgrid_x11_take(x11)
    return outcome < 0 ? nil : outcome > 0
  }

  var hasNews: Bool { unsafe touchgrid_x11_has_news(x11) != 0 }

  var windows: [ShownWindow] {
    unsafe collectWindows { body, context in unsafe touchgrid_x11_shown(x11, body, context) }
  }
}
