import Text
import TouchInput
import TouchModel
import TouchgridAPI

/// Asks the owner what `touchgrid setup` must know. Answers that were given as options are not asked
/// for again.
struct SetupQuestions {
  let dialogue: Dialogue
  let machine: SetupMachine
  /// Waits for a touch or for Enter; nil if the touchscreens cannot be read.
  let nextTouch: (() throws -> RawTouches.Event)?
  /// The user who called `sudo`; nil if there is none.
  let caller: String?
  var answers: SetupAnswers
  /// Whether masks, or that there are none, were given as options.
  var hasMasks: Bool
  /// The programs that the owner wants besides the daemon.
  private(set) var programs: [String] = []

  init(
    _ dialogue: Dialogue, machine: SetupMachine, answers: SetupAnswers, hasMasks: Bool,
    caller: String?, nextTouch: (() throws -> RawTouches.Event)?
  ) {
    self.dialogue = dialogue
    self.machine = machine
    self.answers = answers
    self.hasMasks = hasMasks
    self.caller = caller
    self.nextTouch = nextTouch
  }

  /// Asks only for the corners.
  mutating func askOnlyForCorners() throws { try askForCorners() }

  mutating func ask() throws {
    try dialogue.say(
      """
      Touchgrid counts where people touch. Four questions decide what it records, and for whom. \
      Enter takes the answer in [brackets]. Until the last question, Ctrl-C ends this and changes nothing.
      """)
    if !hasMasks { try askForMasks() }
    if answers.displays.isEmpty, answers.touchscreens.isEmpty { try askForCorners() }
    if answers.keepSessions == nil { try askForTime() }
    try askForUsers()
  }

  // MARK: Secrets

  private mutating func askForMasks() throws {
    try dialogue.say()
    let screens = try dialogue.ask(
      """
      1. Secrets. On which screens of your app do people type PINs, passwords, card numbers or other \
      secrets? Their touches are masked. Give the names that the app or touchgrid-follow uses, with \
      commas between them, or "none". If you do not know yet, press Ctrl-C and come back later: a \
      fresh installation masks everything until then.
      """
    ) { line throws(Failure) in
      if line.lowercased() == "none" { return [String]() }
      let names = line.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
      let isNoName =
        ["y", "yes", "n", "no"].contains(line.lowercased()) || line.contains("\u{fffd}")
      guard !names.isEmpty, !isNoName else { throw Failure("Name the screens, or answer none.") }
      return names
    }
    answers.masks = screens
    if !screens.isEmpty {
      try dialogue.say(
        "Masked: \(screens.map(\.quoted).joined(separator: ", ")). The app must give exactly these names."
      )
    }
    guard !screens.isEmpty, !screens.contains(SessionRecorder.initialScreen) else { return }
    let masksInitial = try dialogue.agrees(
      """
      Until the app has named a screen, touches count on the screen "\
      \(SessionRecorder.initialScreen)". A screen with secrets may be shown then. Mask "\
      \(SessionRecorder.initialScreen)" too?
      """, usual: true)
    if masksInitial { answers.masks.append(SessionRecorder.initialScreen) }
  }

  // MARK: Touchscreens

  private mutating func askForCorners() throws {
    try dialogue.say()
    guard let nextTouch, !machine.touchscreens.isEmpty else {
      return try dialogue.say(
        """
        2. Touchscreens. The daemon reads no touchscreen, or does not run, so this question is left \
        out. 'sudo touchgrid setup --corners' asks it later.
        """)
    }
    try dialogue.say(
      """
      2. Touchscreens. Stand in front of the kiosk. The touches tell which touchscreen lies on which \
      display, and which way round.
      """)
    let names = machine.displayNames
    for name in names {
      try dialogue.say()
      guard let device = try cornerTouches(on: name, next: nextTouch) else {
        try dialogue.say("\(name.printable()): nothing is configured.")
        continue
      }
      try place(device.touchscreen, device.orientation, on: name, isOnly: names.count == 1)
    }
    // A [[display]] that is the only one would take over all touchscreens.
    if names.count > 1, !answers.displays.isEmpty {
      for name in names where !answers.displays.contains(where: { $0.name == name }) {
        answers.displays.append(SetupAnswers.Display(name: name))
      }
    }
  }

  /// Asks for touches in three corners of the picture.
  /// - Returns: nil if the user skips the display.
  private func cornerTouches(
    on display: String, next: () throws -> RawTouches.Event
  ) throws -> (touchscreen: API.Device, orientation: PanelOrientation)? {
    for _ in 0..<3 {
      var touched: [PanelOrientation.Corner] = []
      var touchscreen: API.Device?
      for name in ["top left", "top right", "bottom right"] {
        guard
          let (device, corner) = try cornerTouch(name, on: display, only: touchscreen, next: next)
        else { return nil }
        if touchscreen == nil { try dialogue.say("  \(device.name.printable())") }
        touchscreen = device
        touched.append(corner)
      }
      if let touchscreen,
        let orientation = PanelOrientation(
          topLeft: touched[0], topRight: touched[1], bottomRight: touched[2])
      {
        return (touchscreen, orientation)
      }
      try dialogue.say("These are not three corners of one touchscreen. Once more:")
    }
    return nil
  }

  /// Asks for a touch in one corner.
  /// - Parameter only: the touchscreen of the corners before; nil for the first corner.
  /// - Returns: nil if the user skips the display.
  private func cornerTouch(
    _ corner: String, on display: String, only: API.Device?,
    next: () throws -> RawTouches.Event
  ) throws -> (API.Device, PanelOrientation.Corner)? {
    try dialogue.say(
      "Touch the \(corner) corner of the picture on \(display.printable()). Enter skips this display."
    )
    while true {
      switch try next() {
      case .line:
        _ = dialogue.read()
        return nil
      case .timeout:
        try dialogue.say("There was no touch.")
        return nil
      case .touch(let touch):
        if let device = machine.touchscreen(touch.device), only == nil || only?.key == device.key,
          let found = device.corner(nearest: touch.x, touch.y)
        {
          return (device, found)
        }
        try dialogue.say("  This touch came from another touchscreen. Once more:")
      }
    }
  }

  private mutating func place(
    _ touchscreen: API.Device, _ orientation: PanelOrientation, on display: String, isOnly: Bool
  ) throws {
    guard let matrix = touchscreen.calibration else { return }
    let size = try displaySize(display)
    var isTurned = false
    if let size, size.width != size.height {
      let isWide = size.width > size.height
      let showsWide = try dialogue.agrees(
        "Is the picture on \(display.printable()) wider than high?",
        usual: isWide != orientation.isAcross(matrix))
      isTurned = showsWide != isWide
    }
    let (rotation, calibration) = orientation.settings(for: matrix, isTurned: isTurned)
    // What comes from the present configuration must be in the new one, too. Other values are only
    // configured if they differ from what the daemon finds by itself.
    let kept = touchscreen.matrixSource == .configuration ? matrix : nil
    let needsSize = machine.connectors.first { $0.name == display }?.width == nil
    if rotation != .none || needsSize && size != nil {
      answers.displays.append(
        SetupAnswers.Display(
          name: display, size: needsSize ? size : nil, rotation: rotation == .none ? nil : rotation)
      )
    }
    if !isOnly || calibration ?? kept != nil {
      answers.touchscreens.append(
        SetupAnswers.Touchscreen(
          match: touchscreen.key, display: isOnly ? nil : display, calibration: calibration ?? kept)
      )
    }
    let turn =
      rotation == .none ? "is not turned" : "is turned by \(rotation.rawValue) degrees"
    let calibrated = calibration == nil ? "" : ", and the touchscreen needs a calibration"
    try dialogue.say(
      "  \(touchscreen.name.printable()) lies on \(display.printable()). The picture \(turn)"
        + calibrated + ".")
  }

  /// Returns the size of a display in pixels, before rotation. Asks for it if the kernel does not
  /// know it. nil if the user does not know it either.
  private func displaySize(_ display: String) throws -> PixelsArgument? {
    let connector = machine.connectors.first { $0.name == display }
    if let width = connector?.width, let height = connector?.height {
      return PixelsArgument(argument: "\(width)x\(height)")
    }
    return try dialogue.ask(
      """
      What is the resolution of \(display.printable()) in pixels, before the picture is turned (such as \
      1920x1080)? Enter leaves it to a guess.
      """
    ) { line throws(Failure) in
      if line.isEmpty { return nil }
      guard let size = PixelsArgument(argument: line) else {
        throw Failure("It must be \(PixelsArgument.forms).")
      }
      return size
    }
  }

  // MARK: Time and users

  private mutating func askForTime() throws {
    try dialogue.say()
    answers.keepSessions = try dialogue.ask(
      """
      3. Time. How long is each session kept, such as 30d (days)? The sums of days are kept until \
      'touchgrid forget' removes them.
      """, usual: "90d"
    ) { line throws(Failure) in
      guard let days = line.hasSuffix("d") ? Int(line.dropLast()) : nil,
        (1...36_500).contains(days)
      else { throw Failure("It must be 1d to 36500d.") }
      return "\(days)d"
    }
  }

  private mutating func askForUsers() throws {
    try dialogue.say()
    try dialogue.say(
      """
      4. Users. Groups decide what a user may do. Root may do everything. Give the names of users with \
      commas between them, or "none".
      """)
    try askForUsers(.read, "Who may see status, sessions and heatmaps?", usual: caller ?? "none")
    try askForUsers(
      .app, "Which user runs your app? It may then name screens.", usual: "none")
    let user = answers.users[.app]?.first
    let follows = try dialogue.agrees(
      """
      Do you want touchgrid-follow? It names the screens of an app that cannot be changed, from its \
      windows or pages.
      """, usual: false)
    if follows {
      programs.append("touchgrid-follow")
      if user == nil {
        try askForUsers(.app, "Which user runs the desktop of the kiosk?", usual: "none")
      }
    }
    if try dialogue.agrees(
      "Do you want the overlay? It shows touches on the screen, for demo recordings.",
      usual: false)
    {
      programs.append("touchgrid-overlay")
      try askForUsers(
        .watch,
        "Which users may switch it on, and see live touches? Live touches can give a PIN away.",
        usual: answers.users[.app]?.first ?? "none")
    }
  }

  private mutating func askForUsers(
    _ role: API.Role, _ question: String, usual: String
  ) throws {
    guard answers.users[role] == nil else { return }
    let names = try dialogue.ask(question, usual: usual) { line throws(Failure) in
      if line.lowercased() == "none" { return [String]() }
      let names = line.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
      var wanted = SetupAnswers()
      wanted.groups = answers.groups
      wanted.users = [role: names]
      _ = try SetupChange.memberships(wanted)
      return names
    }
    if !names.isEmpty { answers.users[role] = names }
  }
}
