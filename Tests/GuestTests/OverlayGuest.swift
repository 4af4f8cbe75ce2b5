import Foundation

/// A Debian with the packages, the desktop of one user who may watch and name screens, and an app over the whole of it that logs
/// what it is given. Booted once.
final class OverlayGuest: Sendable {
  let guest: Guest

  private static let booted = Result { try OverlayGuest() }
  static func shared() throws -> OverlayGuest { try booted.get() }

  /// What the user runs has the surroundings of a program that sway has started.
  static let user = """
    setpriv --reuid=demo --regid=demo --init-groups env -i HOME=/home/demo PATH=/usr/bin:/bin \
    LANG=C.UTF-8 XDG_RUNTIME_DIR=/run/user/1000 WAYLAND_DISPLAY=wayland-1
    """

  private init() throws {
    guest = try Guest(suite: "\(Guest.suites.first ?? "")-desktop")
    try guest.takePackages("touchgrid", "touchgrid-overlay", "touchgrid-follow")
    try guest.take("panel.py")
    try """
    output HEADLESS-1 resolution 1024x768 position 0 0
    input type:touch map_to_output HEADLESS-1
    default_border none
    exec touch /run/user/1000/desktop-is-there
    """.write(to: guest.share.appending(path: "sway.conf"), atomically: true, encoding: .utf8)
    try guest.run(
      """
      DEBIAN_FRONTEND=noninteractive apt-get -qqy -o Dpkg::Use-Pty=0 \
        install ./touchgrid.deb ./touchgrid-overlay.deb ./touchgrid-follow.deb || exit 1
      useradd --create-home --groups video,touchgrid-app,touchgrid-watch demo && loginctl enable-linger demo
      \(Self.wait(for: "[ -S /run/user/1000/systemd/private ]"))
      touch /run/app.log && chown demo /run/app.log
      """, timeout: 900)
    try showDesktop()
  }

  /// Starts the compositor, and the app in it.
  func showDesktop() throws {
    // seatd hands out the input devices, as no terminal belongs to a user without a screen.
    try guest.run(
      """
      \(Self.user) systemctl --user -q stop app sway 2>/dev/null
      rm -f /run/user/1000/desktop-is-there; : >/run/app.log
      \(Self.user) systemd-run --user -q --collect --unit=sway -p TimeoutStopSec=10 \
        -E WLR_BACKENDS=headless,libinput -E WLR_RENDERER=pixman \
        -E LIBSEAT_BACKEND=seatd sway -c /host/sway.conf
      \(Self.wait(for: "[ -e /run/user/1000/desktop-is-there ]"))
      \(Self.user) systemd-run --user -q --collect --unit=app \
        -p TimeoutStopSec=5 -E WAYLAND_DISPLAY=wayland-1 \
        -p StandardOutput=append:/run/app.log stdbuf -oL wev
      \(Self.wait(for: "grep -q activated /run/app.log"))
      """)
  }

  /// Lines of sh that end the script where a condition is not met within five minutes.
  private static func wait(for condition: String) -> String {
    """
    for i in $(seq 600); do \(condition) && break; sleep 0.5; done
    \(condition) || { echo 'not in time: \(condition.replacing("'", with: "\""))' >&2; exit 1; }
    """
  }

  // MARK: The user

  /// Runs a command as the user of the desktop, whatever comes of it.
  func asUser(_ command: String) throws -> Command {
    try guest.attempt("\(Self.user) \(command)")
  }

  func overlay(_ words: String) throws -> Command { try asUser("touchgrid overlay \(words)") }

  /// Whether systemd starts the overlay again after a crash, as its unit says.
  func setRestarts(_ isOn: Bool) throws {
    let folder = "/run/user/1000/systemd/user/touchgrid-overlay.service.d"
    try guest.run(
      isOn
        ? "rm -r \(folder)"
        : "mkdir -p \(folder) && printf '[Service]\\nRestart=no\\n' >\(folder)/restart.conf")
    try guest.run("\(Self.user) systemctl --user daemon-reload")
  }

  func waitUntil(_ condition: String) throws { try guest.run(Self.wait(for: condition)) }

  /// A picture of the screen.
  func picture() throws -> ScreenPicture {
    try guest.run("\(Self.user) grim -t ppm - >/host/screen.ppm")
    return try ScreenPicture(ppm: guest.share.appending(path: "screen.ppm"))
  }

  /// Takes pictures until one passes.
  /// - Returns: the last one, where none did within three minutes.
  func picture(where isRight: (ScreenPicture) -> Bool) throws -> ScreenPicture {
    let end = ContinuousClock.now + .seconds(180)
    while true {
      let picture = try picture()
      if isRight(picture) || ContinuousClock.now > end { return picture }
    }
  }

  // MARK: The panel

  /// Twice as many units as the screen has pixels, each way.
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

  /// Lines of `Tests/Guest/panel.py`, done one after the other.
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
    /// Points of the app's window; nil for a lift.
    var x: Double?
    var y: Double?
  }

  /// What the app was given since it was asked last, up to a finger's lift.
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
