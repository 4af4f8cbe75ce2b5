import Foundation

/// A Debian with the packages, the desktop of a user who may watch and name screens, and a
/// full-screen app that logs its input. It is booted once.
final class OverlayGuest: Sendable {
  let guest: Guest

  /// The name of the output.
  private let output: String

  private static let booted = Result { try OverlayGuest() }
  static func shared() throws -> OverlayGuest { try booted.get() }

  /// Runs a command with the environment of a program that sway started.
  static let user = """
    setpriv --reuid=demo --regid=demo --init-groups env -i HOME=/home/demo PATH=/usr/bin:/bin \
    LANG=C.UTF-8 XDG_RUNTIME_DIR=/run/user/1000 WAYLAND_DISPLAY=wayland-1
    """

  /// - Parameter hasScreen: Whether the output is a screen of the machine, which can be switched
  ///   off. Otherwise it exists only in the compositor.
  init(hasScreen: Bool = false) throws {
    output = hasScreen ? "Virtual-1" : "HEADLESS-1"
    guest = try Guest(suite: "\(Guest.suites.first ?? "")-desktop", hasScreen: hasScreen)
    try guest.takePackages("touchgrid", "touchgrid-overlay", "touchgrid-follow")
    try """
    output \(output) resolution 1024x768 position 0 0
    input type:touch map_to_output \(output)
    default_border none
    exec touch /run/user/1000/desktop-is-there
    """.write(to: guest.share.appending(path: "sway.conf"), atomically: true, encoding: .utf8)
    try guest.run(
      """
      DEBIAN_FRONTEND=noninteractive apt-get -qqy -o Dpkg::Use-Pty=0 \
        install ./touchgrid.deb ./touchgrid-overlay.deb ./touchgrid-follow.deb || exit 1
      \(Guest.setUp) || exit 1
      # On a busy host the programs start slowly.
      for service in touchgrid-overlay touchgrid-guard touchgrid-follow; do
        mkdir -p /etc/systemd/user/$service.service.d
        printf '[Service]\\nTimeoutStartSec=300\\nTimeoutStopSec=60\\n' \
          >/etc/systemd/user/$service.service.d/slow.conf
      done
      useradd --create-home --groups video,touchgrid-app,touchgrid-watch,touchgrid-signal,touchgrid-operate demo && loginctl enable-linger demo
      \(Self.wait(for: "[ -S /run/user/1000/systemd/private ]"))
      touch /run/app.log && chown demo /run/app.log
      """, timeout: 900)
    try showDesktop()
  }

  /// Starts the compositor and the app.
  func showDesktop() throws {
    // seatd hands out the input devices, because a user without a screen owns no terminal. An arm64
    // guest has none before the panel is plugged in.
    try guest.run(
      """
      \(Self.user) systemctl --user -q stop app sway 2>/dev/null
      rm -f /run/user/1000/desktop-is-there; : >/run/app.log
      \(Self.user) systemd-run --user -q --collect --unit=sway -p TimeoutStopSec=10 \
        -E WLR_BACKENDS=\(output == "HEADLESS-1" ? "headless" : "drm"),libinput -E WLR_LIBINPUT_NO_DEVICES=1 -E WLR_RENDERER=pixman \
        -E LIBSEAT_BACKEND=seatd sway -c /host/sway.conf
      \(Self.wait(for: "[ -e /run/user/1000/desktop-is-there ]", log: "journalctl --user-unit=sway"))
      \(Self.user) systemd-run --user -q --collect --unit=app \
        -p TimeoutStopSec=5 -E WAYLAND_DISPLAY=wayland-1 \
        -p StandardOutput=append:/run/app.log stdbuf -oL wev
      \(Self.wait(for: "grep -q activated /run/app.log"))
      """)
  }

  /// Returns lines of sh that fail if the condition does not hold within five minutes, and then print
  /// the end of what the command `log` prints.
  private static func wait(for condition: String, log: String = "true") -> String {
    """
    for i in $(seq 600); do \(condition) && break; sleep 0.5; done
    \(condition) || {
      echo 'not in time: \(condition.replacing("'", with: "\""))' >&2; \(log) | tail -n 20 >&2; exit 1
    }
    """
  }

  // MARK: The user

  /// Runs a command as the user of the desktop, and returns its result.
  func asUser(_ command: String) throws -> Command {
    try guest.attempt("\(Self.user) \(command)")
  }

  func overlay(_ words: String) throws -> Command { try asUser("touchgrid overlay \(words)") }

  func waitUntil(_ condition: String) throws { try guest.run(Self.wait(for: condition)) }

  /// Takes a picture of the screen.
  func picture() throws -> ScreenPicture {
    try guest.run("\(Self.user) grim -t ppm - >/host/screen.ppm")
    return try ScreenPicture(ppm: guest.share.appending(path: "screen.ppm"))
  }

  /// Takes pictures until `isRight` accepts one, for up to three minutes.
  /// - Returns: The last picture, accepted or not.
  func picture(where isRight: (ScreenPicture) -> Bool) throws -> ScreenPicture {
    let end = ContinuousClock.now + .seconds(180)
    while true {
      let picture = try picture()
      if isRight(picture) || ContinuousClock.now > end { return picture }
    }
  }

  // MARK: The panel

  /// Plugs in a panel with two units per screen pixel in each direction.
  func plug() throws {
    try guest.run(
      """
      : >/run/app.log
      systemd-run --quiet --collect --unit=panel python3 /host/panel.py /run/panel 2048 1536
      \(Self.wait(for: "grep -q 'capabilities:.*touch' /run/app.log"))
      \(Self.wait(for: "touchgrid devices --json | grep -q '\"node\"'"))
      : >/run/app.log
      """)
  }

  /// Sends commands to `Tests/Guest/panel.py`, which runs them one after another.
  func touch(_ lines: String...) throws {
    try guest.run("printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " ")) >/run/panel")
  }

  func unplug() throws {
    try touch("end")
    try waitUntil("! systemctl -q is-active panel")
  }

  // MARK: The app

  struct Event: Equatable {
    var kind: String
    var finger: Int
    /// In points of the app's window; nil for a touch-up.
    var x: Double?
    var y: Double?
  }

  /// Returns the events that the app received since the last call, up to the touch-up of a finger.
  func events(untilLiftOf finger: Int) throws -> [Event] {
    try waitUntil("grep -q 'up: .*id: \(finger)$' /run/app.log")
    let text = try guest.run("grep wl_touch /run/app.log; : >/run/app.log")
    return try text.split(separator: "\n").compactMap { line in
      let pattern = /wl_touch\] (down|motion|up): .*?id: (\d+)(?:; x, y: ([\d.]+), ([\d.]+))?$/
      guard let match = try pattern.firstMatch(in: line), let finger = Int(match.2) else {
        return nil
      }
      return Event(
        kind: String(match.1), finger: finger, x: match.3.flatMap { Double($0) },
        y: match.4.flatMap { Double($0) })
    }
  }
}
