import Testing
import Text
import TouchModel

@testable import TouchgridDaemon

struct ConfigurationExplanationTests {
  @Test func `The defaults are explained in full`() {
    #expect(
      Configuration().explanation == """
        Sessions
          A session begins with the first touch and ends after 60 s without a finger on
            the touchscreen, after 2 h at the latest, when a client ends it or begins
            another, and when the daemon stops.
          A screen may be named up to 250 ms after it is shown.

        Store
          The database is /var/lib/touchgrid/touchgrid.db.
          A running session is saved every 5 s if it has changed: a power cut loses at
            most that time and the time of one write.
          Sessions are kept for 90 days, or less if the database would exceed 256 MiB;
            the sums of days are kept.

        Grids
          Touches are counted in blocks of 16 x 16 points: taps (where a touch begins);
            trail (each block that a touch enters); dwell (milliseconds of contact).

        Devices
          The touchscreens of seat "seat0" are read.
          Suspected ghosts are counted in the totals, but in no grid.
          What each touchscreen senses is counted, to tell when it fails.

        Displays
          A device without a configured display lies on the only [[display]], if there
            is exactly one; otherwise on the display that its udev property WL_OUTPUT
            names; otherwise on the only connected display. If none of these applies,
            the display's shape is guessed, and marked as a guess.

        Masks
          Nothing is masked.

        Covers
          No part of a touchscreen is covered.

        Controls
          No control is configured. Clients may set the controls of screens.

        Changes of screens
          Changes of screens are added up for each day. Those of a single session are
            never stored.

        Socket
          Clients connect to /run/touchgrid/io.touchgrid.
          Root, the daemon's user and group "touchgrid-app" may name the screen, begin,
            end and tag sessions, pause, mask, set controls, and change displays.
          Root, the daemon's user and group "touchgrid-read" may read status, sessions
            and grids.
          Root, the daemon's user and group "touchgrid-watch" may watch live touches.
          Root, the daemon's user and group "touchgrid-signal" may learn whether
            somebody touches.
          Root, the daemon's user and group "touchgrid-operate" may learn whether
            somebody touches, pause, and keep touches from the app.

        Log
          Errors, warnings, and events of devices and sessions are logged.
        """)
  }

  @Test func `The masks are printed as JSON`() throws {
    let text =
      "[[mask]]\nscreen = \"pin\"\n[[mask]]\nscreen = \"default\"\nx = 1\ny = 2\nwidth = 3\nheight = 4\n"
    #expect(
      try Configuration(text: text, file: "test.toml").json == """
        {"masks":[{"screen":"pin"},{"rectangle":{"height":4,"width":3,"x":1,"y":2},\
        "screen":"default"}],"masksEverything":false}
        """)
    #expect(Configuration.notSetUp.json == #"{"masks":[],"masksEverything":true}"#)
  }

  @Test func `Every setting changes the explanation`() throws {
    let changes: [(String, String)] = [
      ("store.path = '/x/y.db'", "The database is /x/y.db."),
      ("store.checkpoint = '1m'", "saved every 60 s"),
      ("store.keep_sessions = '1d'", "Sessions are kept for 24 h,"),
      ("store.max_size = '3 GiB'", "exceed 3 GiB;"),
      (
        "[[funnel]]\nname = 'order'\nscreens = ['home', 'pay']",
        "Funnel \"order\" counts how many sessions see \"home\", then \"pay\"."
      ),
      ("session.mode = 'manual'", "A session begins when a client begins it."),
      ("session.idle_timeout = '90s'", "ends after 90 s without a finger"),
      ("session.max_duration = '90m'", "after 90 min at the latest"),
      ("session.late_names = '0s'", "applies only to touches that begin after it was set"),
      ("grid.block_size = 32", "blocks of 32 x 32 points"),
      ("grid.layers = ['trail']", "points: trail (each block that a touch enters)."),
      ("devices.seat = 'seat1'", "touchscreens of seat \"seat1\""),
      ("devices.ghosts = false", "Suspected ghosts are counted like any touch."),
      ("devices.edge_grips = false", "hand that holds the device count as palms."),
      ("devices.ghosts = true", "What each touchscreen senses is counted"),
      ("devices.health = false", "Not counted: what each touchscreen senses"),
      ("grid.layers = ['taps', 'dwell']", "Not counted: what each touchscreen senses"),
      ("grid.layers = ['trail', 'taps']", "What each touchscreen senses is counted"),
      ("grid.block_size = 64", "Not counted: what each touchscreen senses"),
      ("grid.block_size = 64\ndevices.health = true", "What each touchscreen senses is counted"),
      (
        "device = [{match = 'A*', ignore = true}]",
        "Every device whose key or name matches \"A*\" is ignored."
      ),
      ("device = [{match = 'A'}]", "matches \"A\" is read without changes."),
      ("device = [{match = 'A'}, {match = 'B'}]", "the first applies."),
      (
        "device = [{match = 'A', display = 'D', x = [1, 2], y = [-3, 4], calibration = '1 "
          + "0 0.5 0 1 0'}]",
        "lies on display \"D\", has x from 1 to 2, has y from -3 to 4, is calibrated by 1 "
          + "0 0.5 0 1 0, not by udev's matrix."
      ),
      (
        "display = [{name = 'D', width = 1920, height = 1080, rotation = 90, scale = 2}]",
        "Display \"D\" has 540 x 960 points in 34 x 60 blocks: 1920 x 1080 pixels, "
          + "scale 2, turned by 90 degrees clockwise."
      ),
      (
        "display = [{name = 'D', scale = 1.5}]",
        "Display \"D\" has scale 1.5; its size in pixels is that of the connector, or guessed "
          + "if that is unknown."
      ),
      (
        "mask = [{screen = 'pin'}]",
        "Screen \"pin\" is masked as a whole. Note: the screen default is not masked: touches "
          + "before the app names a screen are recorded. Masked touches are"
      ),
      (
        "mask = [{screen = 'pin'}, {screen = 'default'}]",
        "Screen \"default\" is masked as a whole. Masked touches are"
      ),
      (
        "mask = [{screen = 'pin', display = 'D', x = 1, y = 2.5, width = 3, height = 4}]",
        "Screen \"pin\" on display \"D\" is masked in a rectangle of 3 x 4 points at x 1, y 2.5."
      ),
      ("socket.path = '/x/y'", "Clients connect to /x/y."),
      (
        "roles.app = 'kiosk'",
        "Root, the daemon's user and group \"kiosk\" may name the screen, begin,"
      ),
      ("roles.read = ''", "Only root and the daemon's user may read status, sessions and grids."),
      ("roles.watch = 'w'", "Root, the daemon's user and group \"w\" may watch live touches."),
      ("roles.signal = ''", "Only root and the daemon's user may learn whether somebody touches."),
      ("roles.operate = 'o'", "group \"o\" may learn whether somebody touches, pause, and keep"),
      ("log.level = 'error'", "Only errors are logged."),
      ("log.level = 'warning'", "Errors and warnings are logged."),
      ("log.level = 'debug'", "All messages are logged"),
    ]
    for (text, sentence) in changes {
      let explanation = try Configuration(text: text, file: "t").explanation
      let flat = explanation.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(flat.contains(sentence), "\(text): \(flat)")
      #expect(explanation.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
  }

  @Test func `Names never make a line longer than 80 characters and are escaped`() throws {
    var configuration = Configuration()
    configuration.store.path = "/" + String(repeating: "p", count: 4000)
    configuration.devices.seat = String(repeating: "s", count: 128)
    configuration.deviceRules = [.init(match: String(repeating: "\u{1b}", count: 512))]
    configuration.displays = [.init(name: String(repeating: "d", count: 128))]
    configuration.masks = [.init(screen: String(repeating: "\u{1b}", count: 128))]
    configuration.socket.path = "/" + String(repeating: "\u{7}", count: 106)
    configuration.roles.app = String(repeating: "g", count: 128)
    let explanation = configuration.explanation
    #expect(explanation.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(explanation.unicodeScalars.allSatisfy { $0 == "\n" || $0.isShown })
    // Wrapping the lines loses no text.
    #expect(explanation.count { $0 == "p" } >= 4000)
  }
}
