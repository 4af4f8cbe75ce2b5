internal import ConfigurationFiles
internal import Text
import TouchModel
internal import TouchgridAPI

extension Configuration {
  /// The masks of the configuration as a JSON object, for `touchgridd --check --json`.
  public var json: String {
    let facts = CheckedConfiguration(
      masks: masks.map(API.Mask.init), masksEverything: !isSetUp)
    return String(decoding: JSON.encodedObject(facts) ?? [], as: UTF8.self)
  }

  /// The configuration in sentences, for `touchgridd --check`: lines of at most 80 characters,
  /// without a line end after the last one.
  public var explanation: String {
    let parts = [
      ("Sessions", sessionSentences), ("Store", storeSentences), ("Grids", gridSentences),
      ("Devices", deviceSentences), ("Displays", displaySentences), ("Masks", maskSentences),
      ("Covers", coverSentences), ("Controls", controlSentences),
      ("Changes of screens", flowSentences),
      ("Socket", socketSentences), ("Log", logSentences),
    ]
    return parts.map { title, sentences in
      let lines = sentences.map { "  " + $0.wrapped(width: 78, indent: "    ") }
      return ([title] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  // MARK: One part each

  private var sessionSentences: [String] {
    let lateNames =
      session.lateNames == 0
      ? "The name of a screen applies only to touches that begin after it was set."
      : "A screen may be named up to \(duration(session.lateNames)) after it is shown."
    switch session.mode {
    case .automatic:
      return [
        "A session begins with the first touch and ends after \(duration(session.idleTimeout)) "
          + "without a finger on the touchscreen, after \(duration(session.maxDuration)) at the latest, "
          + "when a client ends it or begins another, and when the daemon stops.", lateNames,
      ]
    case .manual:
      return [
        "A session begins when a client begins it. It ends when a client ends it or begins "
          + "another, and when the daemon stops; idle_timeout and max_duration are not used.",
        lateNames,
      ]
    }
  }

  private var storeSentences: [String] {
    [
      "The database is \(store.path.printable(limit: .max)).",
      "A running session is saved every \(duration(store.checkpoint)) if it has changed: a power cut "
        + "loses at most that time and the time of one write.",
      "Sessions are kept for \(duration(store.keepSessions)), or less if the database would "
        + "exceed \(Quantity.size.write(store.maxSize)); the sums of days are kept.",
    ]
  }

  private var gridSentences: [String] {
    let layers = Layer.allCases.filter(grid.layers.contains).map(\.meaning)
    return [
      "Touches are counted in blocks of \(grid.blockSize) x \(grid.blockSize) points: "
        + layers.joined(separator: "; ") + "."
    ]
  }

  private var deviceSentences: [String] {
    [
      "The touchscreens of seat \(devices.seat.quoted) are read.",
      devices.ghosts
        ? "Suspected ghosts are counted in the totals, but in no grid."
        : "Suspected ghosts are counted like any touch.",
      countsPanels
        ? "What each touchscreen senses is counted, to tell when it fails."
        : "Not counted: what each touchscreen senses, from which its faults could be told.",
    ] + (devices.edgeGrips ? [] : ["Contacts of a hand that holds the device count as palms."])
      + deviceRules.map(\.explanation)
      + (deviceRules.count > 1 ? ["If several rules match a device, the first applies."] : [])
  }

  private var displaySentences: [String] {
    displays.map { $0.explanation(blockSize: grid.blockSize) } + [
      "A device without a configured display lies on the only [[display]], if there is exactly one; "
        + "otherwise on the display that its udev property WL_OUTPUT names; otherwise on the only "
        + "connected display. If none of these applies, the display's shape is guessed, and marked as "
        + "a guess."
    ]
  }

  private var maskSentences: [String] {
    guard isSetUp else {
      return [
        "Every touch is masked, because there is no file \(defaultConfigurationPath). Touches are "
          + "only counted. 'sudo touchgrid setup' writes the file."
      ]
    }
    return masks.isEmpty
      ? ["Nothing is masked."]
      : masks.map(\.explanation) + initialScreenNote + uncertainMaskSentences + [
        "Masked touches are counted in the totals of their session, and nowhere else. Clients may add "
          + "masks."
      ]
  }

  private var coverSentences: [String] {
    covers.isEmpty
      ? ["No part of a touchscreen is covered."]
      : covers.map(\.explanation) + [
        "touchgrid-overlay keeps touches that begin in a cover from the app. They begin no session, and "
          + "are in no grid; the totals have their number. A touch in a mask counts as masked."
      ]
  }

  private var controlSentences: [String] {
    guard !controls.isEmpty else {
      return ["No control is configured. Clients may set the controls of screens."]
    }
    return controls.map(\.explanation) + [
      "Hits and misses of controls are counted. A touch in a mask counts for no control. Clients may "
        + "set more controls."
    ]
  }

  private var flowSentences: [String] {
    ["Changes of screens are added up for each day. Those of a single session are never stored."]
      + funnels.map { funnel in
        "Funnel \(funnel.name.quoted) counts how many sessions see "
          + "\(funnel.screens.map(\.quoted).joined(separator: ", then "))."
      }
  }

  /// A note that the initial screen is not masked; empty if the configuration masks it.
  private var initialScreenNote: [String] {
    let screen = SessionRecorder.initialScreen
    guard !masks.contains(where: { $0.screen == screen }) else { return [] }
    return [
      "Note: the screen \(screen) is not masked: touches before the app names a screen are recorded."
    ]
  }

  /// The sentences for masks whose extent depends on what is known about displays while the daemon
  /// runs; empty if there are no such masks.
  private var uncertainMaskSentences: [String] {
    let isSizeOpen = masks.contains { mask in
      guard mask.rectangle != nil else { return false }
      return displays.isEmpty
        || displays.contains { $0.size == nil && (mask.display ?? $0.name) == $0.name }
        || mask.display.map { display(named: $0) == nil } ?? false
    }
    let isDisplayOpen =
      masks.contains { $0.display != nil } && !deviceRules.contains { $0.display != nil }
    guard isSizeOpen || isDisplayOpen else { return [] }
    return [
      "While the size of a display, or the display of a touchscreen, is only guessed, the masks that "
        + "may concern the touchscreen cover whole screens. Set the size with width and height in "
        + "[[display]], and the display with display in [[device]]."
    ]
  }

  private var socketSentences: [String] {
    func grant(_ group: String?, _ what: String) -> String {
      group.map { "Root, the daemon's user and group \($0.quoted) may \(what)." }
        ?? "Only root and the daemon's user may \(what)."
    }
    return [
      "Clients connect to \(socket.path.printable(limit: .max)).",
      grant(
        roles.app,
        "name the screen, begin, end and tag sessions, pause, mask, set controls, and change displays"
      ),
      grant(roles.read, "read status, sessions and grids"),
      grant(roles.watch, "watch live touches"),
      grant(roles.signal, "learn whether somebody touches"),
      grant(roles.operate, "learn whether somebody touches, pause, and keep touches from the app"),
    ]
  }

  private var logSentences: [String] {
    switch log.level {
    case .error: ["Only errors are logged."]
    case .warning: ["Errors and warnings are logged."]
    case .info: ["Errors, warnings, and events of devices and sessions are logged."]
    case .debug: ["All messages are logged, including debugging details."]
    }
  }

  private func duration(_ microseconds: Int64) -> String {
    let (number, unit) = Quantity.duration.split(microseconds)
    // A single day, hour or minute is given in the next smaller unit, which avoids singular forms.
    switch (number, unit) {
    case (1, "d"): return "24 h"
    case (1, "h"): return "60 min"
    case (1, "m"): return "60 s"
    case (_, "d"): return "\(number) days"
    case (_, "m"): return "\(number) min"
    default: return "\(number) \(unit)"
    }
  }
}

extension Layer {
  fileprivate var meaning: String {
    switch self {
    case .taps: "taps (where a touch begins)"
    case .trail: "trail (each block that a touch enters)"
    case .dwell: "dwell (milliseconds of contact)"
    }
  }
}

extension Configuration.DeviceRule {
  fileprivate var explanation: String {
    let subject = "Every device whose key or name matches \(match.quoted)"
    if ignore { return "\(subject) is ignored." }
    let places = [
      display.map { "lies on display \($0.quoted)" },
      x.map { "has x from \($0.minimum) to \($0.maximum)" },
      y.map { "has y from \($0.minimum) to \($0.maximum)" },
      calibration.map {
        "is calibrated by \($0.values.map(\.short).joined(separator: " ")), not by udev's matrix"
      },
    ].compactMap(\.self)
    return "\(subject) "
      + (places.isEmpty ? "is read without changes" : places.joined(separator: ", "))
      + "."
  }
}

extension Configuration.Display {
  fileprivate func explanation(blockSize: Int) -> String {
    var turned = "scale \(scale.short)"
    if let panelSize {
      turned += ", \(panelSize.width.short) x \(panelSize.height.short) mm before rotation"
    }
    if rotation != .none { turned += ", turned by \(rotation.rawValue) degrees clockwise" }
    guard let size, let geometry = geometry(blockSize: blockSize) else {
      return "Display \(name.quoted) has \(turned); its size in pixels is that of the connector, "
        + "or guessed if that is unknown."
    }
    return
      "Display \(name.quoted) has \(geometry.width.short) x \(geometry.height.short) points "
      + "in \(geometry.columns) x \(geometry.rows) blocks: \(size.width) x \(size.height) pixels, "
      + "\(turned)."
  }
}

extension ScreenControls {
  fileprivate var explanation: String {
    var place = "Screen \(screen.quoted)"
    if let display { place += " on display \(display.quoted)" }
    let names = controls.map(\.name.quoted).joined(separator: ", ")
    return
      "\(place) has \(controls.count == 1 ? "the control" : "\(controls.count) controls:") \(names)."
  }
}

extension Mask {
  fileprivate var explanation: String {
    var place = "Screen \(screen.quoted)"
    if let display { place += " on display \(display.quoted)" }
    guard let rectangle else { return "\(place) is masked as a whole." }
    return "\(place) is masked in \(rectangle.explanation)."
  }
}

extension Cover {
  fileprivate var explanation: String {
    "\(display.map { "Display \($0.quoted)" } ?? "Every display") is covered in "
      + "\(rectangle.explanation)."
  }
}

extension Rectangle {
  fileprivate var explanation: String {
    "a rectangle of \(width.short) x \(height.short) points at x \(x.short), y \(y.short)"
  }
}

extension Double {
  /// The number as text; whole numbers have no ".0".
  fileprivate var short: String { Int64(exactly: self).map(String.init) ?? "\(self)" }
}
