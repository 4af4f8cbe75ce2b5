import Foundation
import Recordings
import Storage
import TestSupport
import Testing
import TouchModel

extension PackagedGuestTests {
  /// From a fresh installation to the first counted touch.
  @Suite struct PackageSetup {
    private static let file = Guest.configuration

    @Test(arguments: Guest.suites)
    func `Before the setup no position reaches store, log, memory or live stream`(
      suite: String
    ) throws {
      let packaged = try PackagedGuest.shared(suite)
      try packaged.startAfresh()
      let guest = packaged.guest
      #expect(try guest.attempt("test -e \(Self.file)").status != 0)
      #expect(try guest.run("touchgrid status").contains("MASKING EVERYTHING until set up"))
      #expect(
        try guest.attempt("touchgrid doctor").output.contains("masking everything until set up"))
      #expect(
        try guest.run("systemctl status touchgridd").contains("masking everything until set up"))
      let seen = try guest.attempt(
        """
        touchgrid watch --json >watch.json 2>watch.err & watch=$!
        python3 memory.py $(systemctl show -P MainPID touchgridd) /run/touchgrid/io.touchgrid fresh
        status=$?
        kill $watch; cat watch.err >&2
        exit $status
        """, timeout: 900)
      #expect(seen.status == 0, "\(seen.output)\n\(seen.errors)")
      #expect(seen.errors.contains("masking everything until set up"))
      let frames = try String(
        contentsOf: guest.share.appending(path: "watch.json"), encoding: .utf8)
      #expect(frames.contains("\"touches\":[]") && !frames.contains("\"point\""), "\(frames)")
      let log = try guest.run("journalctl -u touchgridd -o cat")
      #expect(log.contains("masking everything until set up"))
      try guest.run("touchgrid end-session && systemctl stop touchgridd")
      let sessions = try packaged.store().sessions(in: .always).map(\.record)
      let totals = try #require(sessions.first?.totals)
      #expect(totals.begun > 7 && totals.masked == totals.begun && totals.counted == 0)
      #expect(
        try guest.run(
          """
          cp /var/lib/touchgrid/touchgrid.db* /run/ && python3 -c 'import sqlite3
          store = sqlite3.connect("/run/touchgrid.db")
          for table in "grid", "daily":
            print(store.execute(f"SELECT count(*) FROM {table}").fetchone()[0])'; rm /run/touchgrid.db*
          """) == "0\n0\n")
      try guest.run("\(Guest.setUp); systemctl start touchgridd")
    }

    @Test(arguments: Guest.suites)
    func `A person sets it up at a terminal, and the next touch counts at its place`(
      suite: String
    ) throws {
      let packaged = try PackagedGuest.shared(suite)
      try packaged.startAfresh()
      let guest = packaged.guest
      let answers = try guest.attempt(
        "for user in anna kiosk; do useradd $user || exit 1; done; python3 setup.py", timeout: 600)
      #expect(answers.status == 0, "\(answers.output)\n\(answers.errors)")
      #expect(
        try guest.run("grep -v '^#\\|^name' \(Self.file)") == """

          [store]
          keep_sessions = "14d"

          [[display]]
          width = 720
          height = 1280
          rotation = 90

          [[mask]]
          screen = "pin"

          [[mask]]
          screen = "checkout/pay"

          [[mask]]
          screen = "default"

          """)
      #expect(try guest.run("stat -c '%a %U' \(Self.file)") == "644 root\n")
      #expect(try guest.run("id -nG anna").contains("touchgrid-read"))
      #expect(try guest.run("id -nG kiosk").contains("touchgrid-app"))
      #expect(try !guest.run("touchgrid status").contains("MASKING"))
      try guest.run("touchgrid end-session && systemctl stop touchgridd")
      let grids = try packaged.store().grids(screen: "menu", layer: .taps, in: .always)
      let grid = try #require(grids.first)
      #expect(grid.key.geometry.width == 1280 && grid.key.geometry.height == 720)
      #expect(grid.sum[grid.key.geometry.index(of: Block(column: 71, row: 4))] == 1)
      try guest.run("systemctl start touchgridd")
      // A deleted file does not drop the masks, nor mask everything again.
      try guest.run(
        """
        rm \(Self.file) && systemctl reload touchgridd
        for _ in $(seq 100); do
          journalctl -u touchgridd -o cat | grep -q "the old one remains in force" && break
          sleep 0.1
        done
        journalctl -u touchgridd -o cat | grep "the old one remains in force"
        """)
      let masks = try guest.run("touchgrid mask")
      #expect(masks.contains("checkout/pay") && !masks.contains("everything"))
      try guest.run("systemctl stop touchgridd")
      try guest.run(
        "\(Guest.setUp); systemctl start touchgridd; userdel anna; userdel kiosk; rm -f /etc/sub?id-"
      )
    }
  }
}
