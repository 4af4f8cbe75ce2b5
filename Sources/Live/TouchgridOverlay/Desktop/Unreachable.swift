internal import Glibc
internal import LinuxIO

extension OverlayFailure {
  /// Returns the failure for a window system that does not answer.
  /// - Parameter backend: GDK's name of the backend that was tried; nil if the environment names
  ///   none.
  static func noDesktop(_ backend: String?) -> OverlayFailure {
    .unreachable(words(backend, user: getuid()) { Environment.value($0) })
  }

  /// Returns the message of the failure that `noDesktop` returns.
  /// - Parameter variable: Returns the value of an environment variable; nil if it is unset or
  ///   empty.
  static func words(
    _ backend: String?, user: UInt32, _ variable: (String) -> String?
  ) -> String {
    switch backend {
    case "wayland": wayland(user: user, variable)
    case .some: x11(variable)
    case nil:
      """
      there is no desktop to draw on: neither WAYLAND_DISPLAY nor DISPLAY is set. Run this in a \
      terminal on the desktop, or set one of them to the value that other programs on the desktop \
      have, such as WAYLAND_DISPLAY=wayland-1 or DISPLAY=:0
      """
    }
  }

  private static func wayland(user: UInt32, _ variable: (String) -> String?) -> String {
    // The rules of `wl_display_connect(3)`.
    let name = variable("WAYLAND_DISPLAY")
    if let name, name.hasPrefix("/") {
      return
        "no Wayland compositor answers at \(name): is WAYLAND_DISPLAY right, and is the desktop running?"
    }
    guard let folder = variable("XDG_RUNTIME_DIR") else {
      return """
        no Wayland compositor answers: XDG_RUNTIME_DIR, the folder of its socket, is not set; it is usually \
        /run/user/\(user)
        """
    }
    let path = "\(folder)/\(name ?? "wayland-0")"
    return name == nil
      ? """
      no Wayland compositor answers at \(path), the default; set WAYLAND_DISPLAY to the value that \
      other programs on the desktop have, such as wayland-1
      """
      : "no Wayland compositor answers at \(path): are WAYLAND_DISPLAY and XDG_RUNTIME_DIR right?"
  }

  private static func x11(_ variable: (String) -> String?) -> String {
    guard let name = variable("DISPLAY") else {
      return """
        no X server answers: DISPLAY is not set; set it to the value that other programs on the desktop \
        have, such as :0
        """
    }
    return """
      no X server answers at DISPLAY=\(name): is this value right, and may this user connect \
      (XAUTHORITY, or 'xhost +si:localuser:USER')?
      """
  }
}
