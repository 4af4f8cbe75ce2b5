import Foundation

/// A machine with a screen on which somebody follows a recipe of docs/kiosks.md, command by command as they stand there.
///
/// Its only differences from a fresh Debian: what the recipes install is there already, as nothing can be fetched; nothing
/// is drawn by a graphics card; and `kiosk.example` is a site on the machine itself.
final class Kiosk {
  /// A place on the screen, in pixels of 1024 by 768.
  struct Place {
    var x: Int
    var y: Int
  }

  private let guest: Guest
  private let document: [Substring: [String]]
  /// Who follows the recipe.
  private let user = "owner"

  /// Follows the recipe, from its packages to the start of the kiosk.
  /// - Parameter recipe: its title.
  init(_ recipe: Substring) throws {
    document = try Self.commands()
    let name = recipe.lowercased().filter { $0.isLetter }
    guest = try Guest(
      suite: "\(Guest.suites.first ?? "")-desktop", kept: "kiosk-\(name)", hasScreen: true)
    try guest.takePackages("touchgrid", "touchgrid-follow")
    try guest.take("panel.py", "shop.py")
    try guest.run(
      """
      useradd --create-home --shell /bin/bash \(user)
      echo '\(user) ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/\(user)
      # As make deb calls them.
      for name in touchgrid touchgrid-follow; do cp /host/$name.deb /home/\(user)/${name}_0_all.deb; done
      echo 'WLR_RENDERER=pixman' >>/etc/environment
      echo 'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --disable-gpu"' >/etc/chromium.d/no-graphics-card
      echo '127.0.0.1 kiosk.example' >>/etc/hosts
      systemd-run --quiet --unit=shop python3 /host/shop.py
      systemd-run --quiet --unit=panel python3 /host/panel.py /run/panel 1024 768
      """)
    for section in ["Every kiosk", recipe] {
      for commands in try commands(of: section) { try type(commands) }
    }
    try type(try start)
  }

  /// Ends the machine, and leaves nothing of it.
  func end() throws {
    try guest.stop()
    try FileManager.default.removeItem(at: guest.share)
  }

  // MARK: The document

  /// The commands of each section.
  private static func commands() throws -> [Substring: [String]] {
    let file = Guest.repository.appending(path: "docs/kiosks.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    var commands: [Substring: [String]] = [:]
    for section in text.split(separator: "\n## ").dropFirst() {
      let title = section.prefix { $0 != "\n" }
      commands[title] = section.matches(of: /```sh\n((?s:.*?))```/).map { String($0.1) }
    }
    return commands
  }

  private func commands(of section: Substring) throws -> [String] {
    guard let commands = document[section], !commands.isEmpty else {
      throw Guest.Failure(description: "docs/kiosks.md has no commands in a section \(section)")
    }
    return commands
  }

  private var start: String { get throws { try commands(of: "The first report")[0] } }

  /// In a new login each time.
  @discardableResult
  private func type(_ commands: String) throws -> String {
    let script = guest.share.appending(path: "commands")
    try commands.write(to: script, atomically: true, encoding: .utf8)
    return try guest.run("su --login \(user) --command 'sh -e /host/commands'", timeout: 600)
  }

  // MARK: Its use

  /// Waits until a screen is shown: a browser needs minutes where much else runs.
  func wait(for screen: String) throws {
    try guest.run(
      """
      for i in $(seq 500); do [ "$(touchgrid screen)" = \(screen) ] && exit; sleep 1; done
      echo "it shows $(touchgrid screen), never \(screen)" >&2; journalctl -b -u kiosk | tail -n 20 >&2; exit 1
      """, timeout: 600)
  }

  /// Touches a place, and waits for the screen that shows then; where a program did not notice the finger, once more.
  /// - Returns: how often it was touched.
  func touch(_ place: Place, for screen: String? = nil) throws -> Int {
    for times in 1...5 {
      try guest.run(
        "echo 'down 0 \(place.x) \(place.y)' >/run/panel; sleep 0.1; echo 'up 0' >/run/panel")
      guard let screen else { return times }
      let shown = try guest.attempt(
        "for i in $(seq 40); do [ \"$(touchgrid screen)\" = \(screen) ] && exit; sleep 0.5; done; exit 1"
      )
      // What it shows is ready for fingers soon after it has been named.
      try guest.run("sleep 2")
      if shown.status == 0 { return times }
    }
    throw Guest.Failure(description: "no touch brings \(screen ?? "")")
  }

  func reboot() throws { try guest.reboot() }

  // MARK: Its report

  struct Report {
    /// Of each screen that was shown.
    var touches: [String: Int]
    var begun: Int
    var masked: Int
    /// The report's file.
    var page: String
  }

  func report() throws -> Report {
    struct Screens: Decodable {
      struct Screen: Decodable {
        var screen: String
        var touches: Int
      }
      var screens: [Screen]
    }
    struct Sessions: Decodable {
      struct Session: Decodable {
        struct Totals: Decodable {
          var begun: Int
          var masked: Int
        }
        var totals: Totals
      }
      var sessions: [Session]
    }
    // A session that runs is shown as of some seconds ago.
    try guest.run("sleep 10")
    for commands in try commands(of: "The first report").dropFirst() { try type(commands) }
    let decoder = JSONDecoder()
    let screens = try decoder.decode(
      Screens.self, from: Data(try guest.run("touchgrid screens --json").utf8))
    let sessions = try decoder.decode(
      Sessions.self, from: Data(try guest.run("touchgrid sessions --json").utf8)
    ).sessions
    return Report(
      touches: Dictionary(screens.screens.map { ($0.screen, $0.touches) }, uniquingKeysWith: +),
      begun: sessions.reduce(0) { $0 + $1.totals.begun },
      masked: sessions.reduce(0) { $0 + $1.totals.masked },
      page: try guest.run("cat /home/\(user)/report.html"))
  }
}
