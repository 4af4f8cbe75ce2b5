import Text
import TouchModel
import TouchgridAPI

/// Asks the owner for the settings of `touchgrid setup`, except those that were given as options.
struct SetupQuestions {
  let dialogue: Dialogue
  let machine: SetupMachine
  /// Waits for a touch or for Enter; nil if the touchscreens cannot be read.
  let nextTouch: (() throws -> RawTouches.Event)?
  /// The user who called `sudo`; nil if this is not under `sudo`.
  let caller: String?
  var answers: SetupAnswers
  /// Whether options named the masks, or that there are none.
  var hasMasks: Bool
  /// The programs and units that the owner wants besides the daemon.
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
      if let wrong = names.first(where: { $0.asName == nil }) {
        throw Failure("\(wrong.quoted) cannot be a name: it \(String.nameRule).")
      }
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
    if try dialogue.agrees(
      """
      Does the screen go dark while nobody touches it? The guard keeps the touch that wakes it from \
      the app.
      """, usual: false)
    {
      programs.append("touchgrid-guard")
      try askForUsers(
        .operate,
        "Which user runs the desktop? That user may then keep touches from the app, and pause.",
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
