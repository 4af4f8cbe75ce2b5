import Foundation
import Text

/// A machine with a screen, on which the test follows docs/kiosks.md, block by block and word for
/// word.
///
/// It differs from a fresh Debian: the packages are installed beforehand, because the guest has no
/// network; there is no graphics card; `sudo` asks the owner for no password; and `kiosk.example`
/// is a site on the machine itself.
final class KioskRecipeGuest {
  /// A place on the screen, in pixels of 1024 by 768.
  struct Place {
    var x: Int
    var y: Int
  }

  private let guest: Guest
  private let recipes: KioskRecipes
  /// The user who follows the recipes.
  private let owner = "owner"

  /// Follows sections of docs/kiosks.md up to the first boot as a kiosk, and passes the kiosk to
  /// `use`. Removes the machine at the end, even after an error.
  static func following(_ sections: String..., use: (KioskRecipeGuest) throws -> Void) throws {
    let name = sections.joined().lowercased().filter(\.isLetter)
    let guest = try Guest(
      suite: "\(Guest.suites.first ?? "")-desktop", kept: "kiosk-\(name)",
      clock: .instructionsAndIdle,
      hasScreen: true)
    defer {
      try? guest.cut()
      try? FileManager.default.removeItem(at: guest.share)
    }
    let kiosk = KioskRecipeGuest(guest, try KioskRecipes())
    try kiosk.prepare()
    for section in sections { try kiosk.follow(section) }
    try kiosk.type(kiosk.recipes.commands(of: Self.report)[0])
    try use(kiosk)
  }

  private init(_ guest: Guest, _ recipes: KioskRecipes) {
    self.guest = guest
    self.recipes = recipes
  }

  private func prepare() throws {
    try guest.takePackages("touchgrid", "touchgrid-follow")
    try guest.run(
      """
      systemctl -q disable --now seatd
      systemctl -q unmask getty@tty1 && systemctl start getty@tty1
      useradd --create-home --shell /bin/bash \(owner)
      echo '\(owner) ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/\(owner)
      # As make deb calls them.
      for name in touchgrid touchgrid-follow; do cp /host/$name.deb /home/\(owner)/${name}_0_all.deb; done
      echo 'WLR_RENDERER=pixman' >>/etc/environment
      echo 'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --disable-gpu"' >/etc/chromium.d/no-graphics-card
      echo '127.0.0.1 kiosk.example' >>/etc/hosts
      program() {
        printf '[Unit]\\nRequiresMountsFor=/host\\n[Service]\\nExecStart=%s\\n[Install]\\nWantedBy=multi-user.target\\n' \\
          "$2" >/etc/systemd/system/$1.service
        systemctl -q enable $1
      }
      program shop '/usr/bin/python3 /host/shop.py'
      program panel '/usr/bin/python3 /host/panel.py /run/panel 1024 768'
      """)
  }

  // MARK: The document

  private static let report = "The first report"

  func follow(_ section: String) throws {
    for commands in try recipes.commands(of: section) { try type(commands) }
  }

  /// Runs commands in a new login of the owner. Reboots the machine if they end with `sudo reboot`.
  private func type(_ commands: String) throws {
    let boot = "sudo reboot\n"
    let script = guest.share.appending(path: "commands")
    try commands.replacing(boot, with: "").write(to: script, atomically: true, encoding: .utf8)
    try guest.run("su --login \(owner) --command 'sh -e /host/commands'", timeout: 1800)
    if commands.hasSuffix(boot) { try guest.reboot() }
  }

  // MARK: Its use

  /// Waits until a screen is shown and can be used.
  func wait(for screen: String) throws {
    guard try shows(screen, within: 400) else {
      let shown = try guest.run(
        "touchgrid get-screen; journalctl -b -t kiosk -t touchgrid-follow | tail -n 20")
      throw Guest.Failure(description: "it never shows \(screen): \(shown)")
    }
  }

  /// Waits until the daemon has controls of a screen.
  func waitForControls(of screen: String) throws {
    try guest.run(
      """
      end=$(($(date +%s) + 100))
      until touchgrid control | grep -q '^\(screen) '; do
        [ $(date +%s) -lt $end ] || { journalctl -b -t touchgrid-follow | tail -n 20; exit 1; }
        sleep 0.5
      done
      """, timeout: 1600)
  }

  private func shows(_ screen: String, within seconds: Int) throws -> Bool {
    let look = try guest.attempt(
      """
      end=$(($(date +%s) + \(seconds)))
      until [ "$(touchgrid get-screen)" = \(screen) ]; do [ $(date +%s) -lt $end ] || exit 1; sleep 0.5; done
      # What was named is ready for fingers soon after.
      sleep 3
      """, timeout: 10 * seconds + 600)
    return look.status == 0
  }

  func touch(_ place: Place) throws {
    // Both lines in one write: a longer touch would not be a tap.
    try guest.run("printf 'down 0 \(place.x) \(place.y)\\nup 0\\n' >/run/panel; sleep 0.5")
  }

  /// Touches a place and waits for the screen that follows. Tries up to three times, because a
  /// program that has just started may miss the touch.
  /// - Returns: The number of attempts.
  func touch(_ place: Place, for screen: String) throws -> Int {
    for times in 1...3 {
      try touch(place)
      if try shows(screen, within: 60) { return times }
      print("kiosk: touch \(times) brought no \(screen)")
    }
    throw Guest.Failure(description: "no touch brings \(screen)")
  }

  /// Kills a program and waits until the screen is `default`.
  func crash(_ program: String) throws {
    try guest.run("pkill -KILL -x \(program)")
    guard try shows("default", within: 60) else {
      throw Guest.Failure(description: "something is shown without \(program)")
    }
  }

  /// Returns what is wrong after the removal of the kiosk: files that still exist, no login on
  /// tty1, and failed units. Empty if all is well.
  func remains() throws -> String {
    try guest.run(
      """
      for path in /etc/touchgrid /var/lib/touchgrid /home/kiosk /usr/local/bin/kiosk* /etc/kiosk-sway.conf \
        /etc/systemd/system/kiosk.service /usr/bin/touchgrid*; do [ ! -e "$path" ] || echo "$path"; done
      systemctl is-active --quiet getty@tty1 || echo 'no login at tty1'
      [ "$(systemctl is-system-running)" = running ] || systemctl --failed
      """)
  }

  // MARK: Its report

  struct Report {
    /// The number of touches by screen.
    var touches: [String: Int]
    /// The number of hits of controls by screen.
    var hits: [String: Int]
    var begun: Int
    var masked: Int
    /// The HTML of the report.
    var page: String
  }

  /// Returns what a verb of `touchgrid` prints as JSON.
  private func json(_ verb: String) throws -> JSONValue {
    try JSONValue(parsing: try guest.run("touchgrid \(verb) --json"))
  }

  private func number(_ value: JSONValue?) -> Int { value?.digits.flatMap { Int($0) } ?? 0 }

  func report() throws -> Report {
    // Wait for a checkpoint, so that the report has the latest touches of the running session.
    try guest.run("sleep 10")
    for commands in try recipes.commands(of: Self.report).dropFirst() { try type(commands) }
    let screens = try json("screens")["screens"]?.elements ?? []
    let totals = try json("sessions")["sessions"]?.elements?.map { $0["totals"] } ?? []
    var hits: [String: Int] = [:]
    for screen in try json("controls")["screens"]?.elements ?? [] {
      for control in screen["controls"]?.elements ?? [] {
        hits[screen["screen"]?.string ?? "", default: 0] += number(control["hits"])
      }
    }
    return Report(
      touches: Dictionary(
        screens.map { ($0["screen"]?.string ?? "", number($0["touches"])) }, uniquingKeysWith: +),
      hits: hits, begun: totals.reduce(0) { $0 + number($1?["begun"]) },
      masked: totals.reduce(0) { $0 + number($1?["masked"]) },
      page: try guest.run("cat /home/\(owner)/report.html"))
  }
}
