import TestSupport
import Testing
import TouchInput
import TouchModel
import TouchgridAPI

@testable import TouchgridCommands

@Suite final class SetupTests: FolderSuite {
  private func run(_ words: String...) throws -> Program.Result {
    try Program.run(["setup", "--config", folder.path("touchgridd.toml")] + words, in: folder)
  }

  private func written(_ name: String = "touchgridd.toml") throws -> String {
    try folder.text(name)
  }

  // MARK: Without questions

  @Test func `Answers as options become a configuration that the daemon accepts`() throws {
    let result = try run(
      "--no-questions", "--mask", "pin \"1\"", "--mask", "default", "--keep", "30d", "--display",
      "DSI-1,720x1280,scale=1.5,rotation=90", "--touchscreen", "Goodix = 2*=DSI-1",
      "--read-group", "staff", "--watch-group", "")
    #expect(result.status == 0 && result.text.contains("wrote "), "\(result.error)")
    #expect(
      try written().split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        == """
        [store]
        keep_sessions = "30d"
        [[device]]
        match = "Goodix = 2*"
        display = "DSI-1"
        [[display]]
        name = "DSI-1"
        width = 720
        height = 1280
        scale = 1.5
        rotation = 90
        [[mask]]
        screen = "pin \\"1\\""
        [[mask]]
        screen = "default"
        [roles]
        read = "staff"
        watch = ""
        """)
  }

  @Test func `What to mask must be said`() throws {
    let result = try run("--no-questions")
    #expect(result.status == 64 && result.error.contains("--no-masks"))
    #expect(try run("--no-questions", "--no-masks", "--mask", "pin").status == 64)
  }

  @Test func `An invalid answer is explained, and nothing is written`() throws {
    let result = try run("--no-questions", "--mask", "pin", "--keep", "soon")
    #expect(result.status == 1)
    #expect(result.error.contains("nothing was changed") && result.error.contains("keep_sessions"))
    #expect(result.error.contains(folder.path("touchgridd.toml")))
    #expect(throws: (any Error).self) { try written() }
    let user = try run("--no-questions", "--mask", "pin", "--reader", "no such user")
    #expect(user.status == 1 && user.error.contains("no user \"no such user\""))
    #expect(throws: (any Error).self) { try written() }
  }

  @Test func `The same answers change nothing; others need --replace, which keeps the old file`()
    throws
  {
    let first = ["--no-questions", "--mask", "pin"]
    #expect(try run(first[0], first[1], first[2]).status == 0)
    let old = try written()
    let again = try run(first[0], first[1], first[2])
    #expect(again.status == 0 && again.text.contains("is unchanged"))
    let other = try run("--no-questions", "--no-masks")
    #expect(other.status == 1 && other.error.contains("--replace"))
    #expect(try written() == old)
    #expect(try run("--no-questions", "--no-masks", "--replace").status == 0)
    #expect(try written("touchgridd.toml.old") == old)
    #expect(try !written().contains("[[mask]]"))
    #expect(try run("--no-questions", "--mask", "b", "--replace").status == 0)
    #expect(try written("touchgridd.toml.old") == old)
    #expect(try !written("touchgridd.toml.old2").contains("[[mask]]"))
  }

  @Test func `A group that does not exist is refused`() throws {
    let result = try run("--no-questions", "--no-masks", "--read-group", "no such group")
    #expect(result.status == 1 && result.error.contains("no group"))
    #expect(throws: (any Error).self) { try written() }
  }

  @Test func `A finished configuration is checked and taken as it is`() throws {
    let good = try folder.write("# ours\n[session]\nidle_timeout = \"30s\"\n", to: "good.toml")
    let open = try run("--from", good)
    #expect(open.status == 1 && open.error.contains("masks nothing"))
    #expect(try run("--from", good, "--no-masks").status == 0)
    #expect(try written().hasPrefix("# ours"))
    let bad = try folder.write("[sesion]\n", to: "bad.toml")
    let result = try run("--from", bad, "--replace")
    #expect(result.status == 1 && result.error.contains("sesion"))
    #expect(try written().hasPrefix("# ours"))
    #expect(try run("--from", good, "--mask", "pin").status == 64)
    let empty = try folder.write("", to: "empty.toml")
    #expect(try run("--from", empty, "--replace").status == 1)
    #expect(try written().hasPrefix("# ours"))
  }

  @Test func `--dry-run prints the configuration and writes nothing`() throws {
    let result = try run("--no-questions", "--mask", "pin", "--dry-run")
    #expect(result.status == 0 && result.text.contains("[[mask]]\nscreen = \"pin\"\n"))
    #expect(throws: (any Error).self) { try written() }
  }

  @Test func `Without a terminal it says how to answer`() throws {
    let result = try run()
    #expect(result.status == 1 && result.error.contains("--no-questions"))
  }

  @Test(arguments: [
    ("DSI-1", true), ("DSI-1,720x1280", true), ("DSI-1,rotation=270,scale=2", true), ("", false),
    ("DSI-1,720", false), ("DSI-1,rotation=45", false), ("DSI-1,scale=0", false),
    ("DSI-1,scale=nan", false), ("DSI-1,1x1,2x2", false), ("DSI-1,", false), (",1x1", false),
  ])
  func `The forms of --display`(text: String, isValid: Bool) {
    #expect((DisplayArgument(argument: text) != nil) == isValid)
  }

  @Test func `Names with quotes and control characters become strings of TOML`() {
    #expect(tomlString("a\"b\\c\n\u{7f}é") == #""a\"b\\c\u000a\u007fé""#)
  }

  // MARK: Orientation

  /// The corners of the touchscreen at which a picture has its top left, top right and bottom right
  /// corner.
  private static func corners(
    _ matrix: CalibrationMatrix, _ rotation: Rotation
  ) -> [PanelOrientation.Corner] {
    let all = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    return [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)].compactMap { wanted in
      all.first { corner in
        let point = matrix.apply(corner.0, corner.1)
        return rotation.apply(point.x, point.y) == wanted
      }.map { PanelOrientation.Corner(nearest: $0.0, $0.1) }
    }
  }

  @Test(arguments: Rotation.allCases)
  func `Three corners give the rotation of the picture`(rotation: Rotation) throws {
    for text in ["1 0 0 0 1 0", "0 -1 1 1 0 0", "-1 0 1 0 1 0"] {
      let matrix = try #require(CalibrationMatrix(text))
      let touched = Self.corners(matrix, rotation)
      let found = try #require(
        PanelOrientation(topLeft: touched[0], topRight: touched[1], bottomRight: touched[2]))
      let isTurned = [.quarter, .threeQuarters].contains(rotation)
      #expect(found.isAcross(matrix) == isTurned)
      let settings = found.settings(for: matrix, isTurned: isTurned)
      #expect(settings.rotation == rotation && settings.calibration == nil)
    }
  }

  @Test(
    arguments: Rotation.allCases, ["1 0 0 0 1 0", "-1 0 1 0 1 0", "0 1 0 1 0 0", "0 -1 1 1 0 0"])
  func `A touchscreen that lies otherwise than its display gets a calibration`(
    rotation: Rotation, text: String
  ) throws {
    let real = try #require(CalibrationMatrix(text))
    let touched = Self.corners(real, rotation)
    let found = try #require(
      PanelOrientation(topLeft: touched[0], topRight: touched[1], bottomRight: touched[2]))
    for isTurned in [false, true] {
      let settings = found.settings(for: .identity, isTurned: isTurned)
      #expect([.quarter, .threeQuarters].contains(settings.rotation) == isTurned)
      #expect(
        Self.corners(settings.calibration ?? .identity, settings.rotation) == touched)
    }
  }

  @Test func `Corners that do not follow each other are refused`() {
    typealias Corner = PanelOrientation.Corner
    #expect(
      PanelOrientation(
        topLeft: Corner(0, 0), topRight: Corner(0, 0), bottomRight: Corner(1, 1)) == nil)
    #expect(
      PanelOrientation(
        topLeft: Corner(0, 0), topRight: Corner(1, 1), bottomRight: Corner(1, 0)) == nil)
  }

  // MARK: Questions

  /// Answers questions from a list, and keeps what was said.
  private final class Person {
    var answers: [String]
    var heard = ""
    init(_ answers: [String]) { self.answers = answers }

    var dialogue: Dialogue {
      Dialogue(
        read: {
          self.heard += "\n"
          return self.answers.isEmpty ? nil : self.answers.removeFirst()
        },
        write: { self.heard += $0 })
    }
  }

  @Test func `Enter gives the usual answers, but secrets must be named`() throws {
    let person = Person(["", "yes", "pin,  big  card ", "", "", "", "", "no", "", ""])
    var questions = SetupQuestions(
      person.dialogue, machine: SetupMachine(), answers: SetupAnswers(), hasMasks: false,
      caller: nil, nextTouch: nil)
    try questions.ask()
    #expect(questions.answers.masks == ["pin", "big  card", "default"])
    #expect(questions.answers.keepSessions == "90d" && questions.answers.users.isEmpty)
    #expect(questions.programs.isEmpty && person.heard.contains("or answer none"))
    #expect(person.heard.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `The user of the desktop gets the role that the guard needs`() throws {
    let person = Person(["", "", "", "", "yes", "nobody"])
    var answers = SetupAnswers()
    answers.keepSessions = "90d"
    answers.groups[.operate] = "nogroup"
    var questions = SetupQuestions(
      person.dialogue, machine: SetupMachine(), answers: answers, hasMasks: true, caller: nil,
      nextTouch: nil)
    try questions.ask()
    #expect(questions.programs == ["touchgrid-guard"])
    #expect(questions.answers.users == [.operate: ["nobody"]])
  }

  @Test func `A name that the daemon would refuse is asked for again at once`() throws {
    let long = String(repeating: "n", count: 129)
    let person = Person(["pin, \(long)", "p\u{fffd}n", "pin"])
    var questions = SetupQuestions(
      person.dialogue, machine: SetupMachine(), answers: SetupAnswers(), hasMasks: false,
      caller: nil, nextTouch: nil)
    #expect(throws: Failure.self) { try questions.ask() }
    #expect(questions.answers.masks == ["pin"])
    #expect(person.heard.replacing("\n", with: " ").contains("must be 1 to 128 bytes"))
    let result = try run("--no-questions", "--mask", long)
    #expect(result.status == 1 && result.error.contains("cannot be a name"), "\(result)")
  }

  @Test func `Touches in the corners say which touchscreen lies where, and which way round`() throws
  {
    let device = try SampleReplies.device()
    let machine = SetupMachine(
      touchscreens: [device],
      connectors: [
        DRMConnector(name: "DSI-1", width: 720, height: 1280), DRMConnector(name: "HDMI-A-1"),
      ])
    // The picture on DSI-1 is turned by 90 degrees.
    let (low, high) = (Int32(device.x.minimum), Int32(device.x.maximum))
    let (top, bottom) = (Int32(device.y.minimum), Int32(device.y.maximum))
    var events: [RawTouches.Event] = [
      .touch(.init(device: device.key, x: high, y: top)),
      .touch(.init(device: device.key, x: high, y: bottom)),
      .touch(.init(device: device.key, x: low, y: bottom)), .line,
    ]
    let person = Person(["yes", "", "90d", "none", "none", "no", "no", "no"])
    var given = SetupAnswers()
    given.masks = ["pin"]
    var questions = SetupQuestions(
      person.dialogue, machine: machine, answers: given, hasMasks: true, caller: nil,
      nextTouch: { events.removeFirst() })
    try questions.ask()
    #expect(
      questions.answers.displays == [
        SetupAnswers.Display(name: "DSI-1", rotation: .quarter),
        SetupAnswers.Display(name: "HDMI-A-1"),
      ])
    #expect(
      questions.answers.touchscreens
        == [SetupAnswers.Touchscreen(match: device.key, display: "DSI-1")])
    #expect(person.heard.contains("turned by 90 degrees"), "\(person.heard)")
  }

  @Test func `Touches in the corners name an axis that sends values beyond its range`() throws {
    let device = try SampleReplies.device()
    let machine = SetupMachine(
      touchscreens: [device], connectors: [DRMConnector(name: "HDMI-A-1", width: 9, height: 9)])
    var events = [(10, 20), (4000, 20), (4000, 7000)].map { x, y in
      RawTouches.Event.touch(.init(device: device.key, x: x, y: y))
    }
    let person = Person([])
    var questions = SetupQuestions(
      person.dialogue, machine: machine, answers: SetupAnswers(), hasMasks: true, caller: nil,
      nextTouch: { events.removeFirst() })
    try questions.askForCorners()
    let words = person.heard.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("its y axis sends values up to 7000"), "\(words)")
    #expect(words.contains("y = [0, 7000]") && !words.contains("its x axis"))
  }

  @Test func `A calibration of the present configuration is in the new one, too`() throws {
    var device = try SampleReplies.device(displaySource: .configuration)
    device.matrix = [-1, 0, 1, 0, 1, 0]
    device.matrixSource = .configuration
    let machine = SetupMachine(
      touchscreens: [device], connectors: [DRMConnector(name: "HDMI-A-1", width: 9, height: 9)])
    let (low, high) = (Int32(device.x.minimum), Int32(device.x.maximum))
    // The touchscreen is mirrored, as its calibration says.
    var events: [RawTouches.Event] = [
      .touch(.init(device: "another", x: 0, y: 0)),
      .touch(.init(device: device.key, x: high, y: low)),
      .touch(.init(device: device.key, x: low, y: low)),
      .touch(.init(device: device.key, x: low, y: high)),
    ]
    let person = Person([])
    var questions = SetupQuestions(
      person.dialogue, machine: machine, answers: SetupAnswers(), hasMasks: true, caller: nil,
      nextTouch: { events.removeFirst() })
    try questions.askForCorners()
    #expect(questions.answers.displays.isEmpty)
    #expect(
      questions.answers.touchscreens == [
        SetupAnswers.Touchscreen(
          match: device.key, calibration: CalibrationMatrix("-1 0 1 0 1 0"))
      ])
    #expect(person.heard.contains("another touchscreen"))
  }

  @Test func `The map shows a touch at its place`() throws {
    let geometry = try #require(
      DisplayGeometry(pixelWidth: 800, pixelHeight: 400, rotation: .quarter))
    let placement = Placement(
      device: "a", x: Placement.Range(minimum: 0, maximum: 799),
      y: Placement.Range(minimum: 0, maximum: 399), display: "DSI-1", geometry: geometry,
      displaySource: .drm)
    let lines = TouchMap.lines(.init(device: "a", x: 799, y: 0), placement, width: 80)
    #expect(lines[1].hasPrefix("|@"))
    #expect(lines.last?.hasPrefix("DSI-1: point 0, 0 of 400 x 800") == true, "\(lines)")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }
}
