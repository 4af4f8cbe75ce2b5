import ArgumentParser
import Glibc
import LinuxIO
import Text
import TouchModel
import TouchgridAPI

struct Setup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks what to record, and writes the configuration. Needs sudo.",
    discussion: """
      Before the setup the daemon masks every touch. The setup asks what to mask, which touchscreen \
      lies on which display and which way round, how long to keep sessions, and who may read them. \
      It writes /etc/touchgrid/touchgridd.toml after a check, reloads the service, and shows the \
      first touch on a map. If there is a configuration already, it is replaced as a whole, only if \
      you agree, and kept as touchgridd.toml.old. --corners only asks for the touchscreens, and \
      prints what to change in the configuration.

      For scripts and images: --no-questions takes all answers from options, --from from a finished \
      configuration. Both leave a configuration that is the same already as it is. Without systemd, \
      as in a chroot, nothing is reloaded.

          sudo touchgrid setup
          sudo touchgrid setup --no-questions --mask pin --mask default \\
            --reader anna --app-user kiosk
          sudo touchgrid setup --from touchgridd.toml
      """)

  @Option(
    help: ArgumentHelp(
      "Mask this screen. \"default\" is shown until the app names one.", valueName: "screen"))
  var mask: [String] = []

  @Option(
    help: ArgumentHelp(
      "Mask this rectangle of a screen: \(MaskArgument.forms).", valueName: "rectangle"),
    transform: MaskArgument.read)
  var maskRectangle: [MaskArgument] = []

  @Flag(help: "No screen takes secrets: mask nothing.")
  var noMasks = false

  @Option(
    help: ArgumentHelp(
      "How long each session is kept, such as 30d. Default: 90d.", valueName: "duration"))
  var keep: String?

  @Option(
    help: ArgumentHelp(
      "A display that differs from what its connector reports: \(DisplayArgument.forms).",
      valueName: "display"), transform: DisplayArgument.read)
  var display: [DisplayArgument] = []

  @Option(
    help: ArgumentHelp(
      "Where a touchscreen lies: \(TouchscreenArgument.forms).", valueName: "place"),
    transform: TouchscreenArgument.read)
  var touchscreen: [TouchscreenArgument] = []

  @Option(
    help: ArgumentHelp(
      "A user who may see status, sessions and heatmaps.", valueName: "user"))
  var reader: [String] = []

  @Option(help: ArgumentHelp("A user who may see live touches.", valueName: "user"))
  var watcher: [String] = []

  @Option(
    help: ArgumentHelp(
      "A user who may learn whether somebody touches, but not where.", valueName: "user"))
  var signalUser: [String] = []

  @Option(
    help: ArgumentHelp(
      "A user who may keep touches from the app, as the guard does, and pause.",
      valueName: "user"))
  var operateUser: [String] = []

  @Option(help: ArgumentHelp("The user of the app, which names screens.", valueName: "user"))
  var appUser: [String] = []

  @Option(
    help: ArgumentHelp("The group of readers. Default: touchgrid-read.", valueName: "group"))
  var readGroup: String?

  @Option(
    help: ArgumentHelp("The group of watchers. Default: touchgrid-watch.", valueName: "group"))
  var watchGroup: String?

  @Option(
    help: ArgumentHelp(
      "The group that signals go to. Default: touchgrid-signal.", valueName: "group"))
  var signalGroup: String?

  @Option(
    help: ArgumentHelp(
      "The group of the guard. Default: touchgrid-operate.", valueName: "group"))
  var operateGroup: String?

  @Option(help: ArgumentHelp("The group of apps. Default: touchgrid-app.", valueName: "group"))
  var appGroup: String?

  @Option(
    help: ArgumentHelp(
      "Take this finished configuration; - for standard input.", valueName: "file"),
    completion: .file())
  var from: String?

  @Option(
    help: ArgumentHelp(
      "The file to write. Default: \(SetupChange.standardPath).", valueName: "file"),
    completion: .file())
  var config: String?

  @Flag(help: "Only ask for the corners of the picture, and print what to configure.")
  var corners = false

  @Flag(help: "Ask nothing.")
  var noQuestions = false

  @Flag(help: "Replace a configuration that is there already.")
  var replace = false

  @Flag(help: "Print the configuration, and change nothing.")
  var dryRun = false

  @OptionGroup var socket: SocketOption

  func validate() throws {
    if noMasks, hasMasks {
      throw ValidationError("--no-masks contradicts --mask and --mask-rectangle.")
    }
    var others = answersByOption
    others.groups = [:]
    if from != nil, others != SetupAnswers() {
      throw ValidationError(
        "--from cannot be combined with answers as options, except for users and their groups.")
    }
    if corners, from != nil || noQuestions || replace || answersByOption != SetupAnswers() {
      throw ValidationError("--corners cannot be combined with answers.")
    }
    if noQuestions, from == nil, !hasMasks, !noMasks {
      throw ValidationError(
        "With --no-questions say what to mask: --mask SCREEN for each screen that takes secrets, "
          + "--mask-rectangle for a part of one, or --no-masks if there is none.")
    }
  }

  private var hasMasks: Bool { !mask.isEmpty || !maskRectangle.isEmpty }

  /// The answers from options, without the users.
  private var answersByOption: SetupAnswers {
    var answers = SetupAnswers()
    answers.masks = mask
    answers.rectangles = maskRectangle.map(\.mask)
    answers.keepSessions = keep
    answers.displays = display.map(\.display)
    answers.touchscreens = touchscreen.map(\.touchscreen)
    answers.groups[.read] = readGroup
    answers.groups[.watch] = watchGroup
    answers.groups[.signal] = signalGroup
    answers.groups[.operate] = operateGroup
    answers.groups[.app] = appGroup
    return answers
  }

  private var path: String { config ?? SetupChange.standardPath }

  private var isInteractive: Bool { from == nil && !noQuestions }

  func run() throws {
    guard geteuid() == 0 || dryRun || path != SetupChange.standardPath else {
      throw Failure("only root may set Touchgrid up: 'sudo touchgrid setup'")
    }
    guard !isInteractive || isatty(STDIN_FILENO) == 1 && Terminal.isThere else {
      throw Failure(
        "the setup asks questions and needs a terminal; give the answers as options with "
          + "--no-questions, or a finished configuration with --from FILE")
    }
    let dialogue = Dialogue(
      read: { readLine() }, write: { try Self.print($0) }, width: Terminal.width)
    var answers = answersByOption
    for (role, names) in [
      API.Role.read: reader, .watch: watcher, .signal: signalUser, .operate: operateUser,
      .app: appUser,
    ] where !names.isEmpty { answers.users[role] = names }
    // Report wrong names before the first question.
    _ = try SetupChange.memberships(answers)
    if let wrong = answers.names.first(where: { $0.asName == nil }) {
      throw Failure("nothing was changed: \(wrong.quoted) cannot be a name: it \(String.nameRule)")
    }
    if corners { return try printCorners(dialogue) }
    if !dryRun { warnOfRestarts() }
    var programs: [String] = []
    let former = dryRun ? nil : try SetupChange.current(path)
    if isInteractive {
      guard try mayReplace(dialogue) else { throw Failure("nothing was changed") }
      var questions = try questions(dialogue, answers)
      try questions.ask()
      (answers, programs) = (questions.answers, questions.programs)
    }
    let change = SetupChange(path: path, text: try text(answers), former: former)
    let checked = try change.check()
    if from == nil {
      let wanted = answers.masks.map { API.Mask(screen: $0) } + answers.rectangles
      for mask in wanted where !checked.masks.contains(mask.normalised) {
        throw Failure(
          "nothing was changed: 'touchgridd --check' reads another mask than \(mask.words)")
      }
    }
    if from != nil, !noMasks, checked.masks.isEmpty {
      throw Failure(
        "the configuration masks nothing, and nothing was changed; if no screen takes secrets, say so "
          + "with --no-masks")
    }
    if dryRun { return try Self.print(change.text.printableLines) }
    let isSame = former == Array(change.text.utf8)
    if isInteractive {
      try dialogue.say("\nThis is the configuration:\n")
      try Self.print(change.text.printableLines.indented)
      guard try dialogue.agrees("Write it to \(path.printable(limit: 4096))?", usual: true) else {
        throw Failure("nothing was changed")
      }
    } else if !isSame, !replace, former != nil {
      throw Failure(
        "there is another configuration in \(path.printable(limit: 4096)); --replace replaces it, and "
          + "keeps it as \(path.printable(limit: 4096)).old")
    }
    // From here on, ignore Ctrl-C: it would interrupt the change halfway.
    signal(SIGINT, SIG_IGN)
    try SetupChange.locked(path) {
      try change.requireFormer()
      try apply(change, answers, isSame: isSame)
    }
    signal(SIGINT, SIG_DFL)
    if !checked.masks.isEmpty, !checked.masks(screen: SessionRecorder.initialScreen) {
      writeError(
        "the screen \"default\" is not masked: touches before the app names a screen are recorded")
    }
    if isInteractive { try finish(dialogue, programs: programs) }
  }

  /// Warns if a restart of the machine undoes the setup, or loses the store of the packaged daemon.
  private func warnOfRestarts() {
    var places = [StoragePlace.configuration(path)]
    if path == SetupChange.standardPath {
      let status = try? socket.connectIfThere()?.call(API.GetStatus())
      places.append(.store(status?.store.path ?? StoredDataOptions.standardStore))
    }
    for note in places.compactMap(\.note) { writeError(note) }
  }

  private func printCorners(_ dialogue: Dialogue) throws {
    var questions = try questions(dialogue, SetupAnswers())
    try questions.askForCorners()
    var answers = SetupAnswers()
    answers.displays = questions.answers.displays
    answers.touchscreens = questions.answers.touchscreens
    guard answers != SetupAnswers() else {
      return try dialogue.say("\nNo [[display]] and no [[device]] is needed for these displays.")
    }
    try dialogue.say(
      "\nPut this in the place of the [[display]] and [[device]] tables with the same names in "
        + "\(path.printable(limit: 4096)), then run 'sudo systemctl reload touchgridd':\n")
    let tables = answers.configuration.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("[[") }
    try Self.print(tables.joined(separator: "\n").printableLines)
  }

  private func text(_ answers: SetupAnswers) throws(Failure) -> String {
    guard let from else { return answers.configuration }
    let bytes = try readFile(from == "-" ? "/dev/stdin" : from, limit: 1 << 20)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("\(from.printable(limit: 4096)) is not UTF-8 text")
    }
    return text
  }

  private func mayReplace(_ dialogue: Dialogue) throws -> Bool {
    guard !replace, !dryRun, Files.exists(path) else { return true }
    return try dialogue.agrees(
      """
      There is a configuration already: \(path.printable(limit: 4096)). The setup replaces it with all \
      its masks and settings, and keeps it beside the new one. To change single settings, edit the file \
      instead; to place touchscreens, run 'sudo touchgrid setup --corners'. Replace it?
      """, usual: false)
  }

  private func questions(
    _ dialogue: Dialogue, _ answers: SetupAnswers
  ) throws -> SetupQuestions {
    let machine = try SetupMachine(try? socket.connectIfThere())
    let touches =
      machine.touchscreens.isEmpty ? nil : try RawTouches(machine.touchscreens.map(\.key))
    let caller = Terminal.variable("SUDO_USER").flatMap { $0 == "root" ? nil : $0 }
    return SetupQuestions(
      dialogue, machine: machine, answers: answers, hasMasks: noMasks || hasMasks,
      caller: caller.flatMap { User(named: $0) }?.name,
      nextTouch: touches.map { touches in { try touches.next(within: 120) } })
  }

  private func apply(
    _ change: SetupChange, _ answers: SetupAnswers, isSame: Bool
  ) throws {
    let name = path.printable(limit: 4096)
    // Add the users first: if one of these commands fails, nothing is recorded yet.
    for command in try SetupChange.memberships(answers) {
      try SetupChange.run(command)
      try writeLines(["\(command[3].printable()) is now in the group \(command[2].printable())"])
    }
    if isSame {
      try writeLines(["\(name) is unchanged"])
    } else {
      let former = try change.write()
      try writeLines(
        ["wrote \(name)"]
          + (former.map { ["the former one is \($0.printable(limit: 4096))"] } ?? []))
    }
    // Reload even if the file is unchanged: the service may not have loaded it yet.
    switch try SetupChange.reload(path, socket: socket, restarts: true) {
    case .done: try writeLines(["the service has loaded it"])
    case .notRunning:
      writeError("the service does not run: 'sudo systemctl enable --now touchgridd' starts it")
    case .notNeeded: break
    }
  }

  /// Shows the first touch on a map, and prints the remaining steps.
  private func finish(_ dialogue: Dialogue, programs: [String]) throws {
    try showFirstTouch(dialogue)
    try dialogue.say()
    let packages = programs.map { $0 == "touchgrid-guard" ? "touchgrid-overlay" : $0 }
    for package in Set(packages).sorted() where !Files.exists("/usr/bin/\(package)") {
      try dialogue.say("Install it: sudo apt install \(package)")
    }
    if programs.contains("touchgrid-follow") {
      try dialogue.say(
        "As the user of the kiosk's desktop: systemctl --user enable --now touchgrid-follow")
    }
    if programs.contains("touchgrid-overlay") {
      try dialogue.say("In that desktop: touchgrid overlay on")
    }
    if programs.contains("touchgrid-guard") {
      try dialogue.say(
        "As the user of that desktop: systemctl --user enable --now touchgrid-guard. "
          + "/usr/share/doc/touchgrid/docs/guard.md has its options.")
    }
    try dialogue.say(
      "Groups take effect at the next login. 'touchgrid doctor' checks everything once more.")
  }

  private func showFirstTouch(_ dialogue: Dialogue) throws {
    let machine = try SetupMachine(try? socket.connectIfThere())
    guard !machine.touchscreens.isEmpty else { return }
    let touches = try RawTouches(machine.touchscreens.map(\.key))
    try dialogue.say(
      "\nTouch the screen: the touch appears on a map, also where a mask is. Nobody else should touch "
        + "it now. Enter ends this.")
    switch try touches.next(within: 120) {
    case .timeout: return
    case .line: _ = readLine()
    case .touch(let touch):
      guard let touchscreen = machine.touchscreen(touch.device),
        let placement = machine.placement(of: touchscreen)
      else { return }
      try writeLines(TouchMap.lines(touch, placement, width: Terminal.width))
      try dialogue.say(
        "If it is in the wrong place, run 'sudo touchgrid setup --corners'.")
    }
  }

  private static func print(_ text: String) throws {
    try write(Array(text.utf8), to: STDOUT_FILENO, name: "standard output")
  }
}

extension String {
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
  }
}
