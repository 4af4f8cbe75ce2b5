import LinuxIO
import Reports
import Testing
import TouchModel

@testable import TouchgridCommands

/// How `touchgrid panel test` and `touchgrid calibrate` lead a person.
@Suite struct PanelRunTests {
  /// A person who answers each request with prepared touches, and with Enter when none are left.
  private final class Person: PanelTouches, PanelCanvas {
    var answers: [[PanelStroke]?]
    var titles: [String] = []
    var isRotated = true
    /// The number of answers during which events are lost.
    var losses = 0
    private(set) var state = ""

    init(_ answers: [[PanelStroke]?]) { self.answers = answers }

    func begin() { state += "begin " }
    func end() { state += "end" }
    func clear() { state += "clear " }
    func discard() {}
    func show(_ scene: PanelScene) { titles.append(scene.title) }

    var hasLostEvents: Bool { losses >= 0 }

    func strokes(pausing pause: RecordingPause?) -> [PanelStroke]? {
      losses -= 1
      return answers.isEmpty ? nil : answers.removeFirst()
    }
  }

  private let silent = Dialogue(read: { nil }, write: { _ in })

  /// - Parameters:
  ///   - start: the time of the touch-down, in ms.
  ///   - length: the time until the touch-up, in ms.
  private func stroke(
    _ places: (x: Int32, y: Int32)..., start: Int64 = 0, length: Int64 = 2000
  ) -> PanelStroke {
    let samples = places.enumerated().map {
      PanelStroke.Sample(
        time: Timestamp(microseconds: (start + Int64($0.offset) * 10) * 1000), x: $0.element.x,
        y: $0.element.y)
    }
    return PanelStroke(
      samples: samples, end: Timestamp(microseconds: (start + length) * 1000))
  }

  // MARK: calibrate

  /// Touches on a panel that needs no calibration, at shares of its width and height.
  private func taps(_ places: [(x: Double, y: Double)]) -> [[PanelStroke]?] {
    places.map { [stroke((Int32($0.x * 16_001), Int32($0.y * 9001)))] }
  }

  private func run(
    _ person: Person, rotation: Rotation = .none
  ) throws -> CalibrationRun.Result {
    let geometry = try #require(
      DisplayGeometry(pixelWidth: 1920, pixelHeight: 1080, rotation: rotation))
    let placement = Placement(
      device: "1:2@usb-1", x: .init(minimum: 0, maximum: 16_000),
      y: .init(minimum: 0, maximum: 9000), display: "DSI-1", geometry: geometry,
      displaySource: .kernel)
    return try CalibrationRun(
      touches: person, pause: nil, placement: placement, allowsMirrored: false, dialogue: silent,
      canvas: person
    ).run()
  }

  private let right = CalibrationRun.crosses.map { (x: $0.x, y: $0.y) }

  @Test(arguments: Rotation.allCases)
  func `A right panel keeps its matrix, on a rotated desktop and on the console`(
    rotation: Rotation
  ) throws {
    // The desktop turns the crosses with the display; the console does not.
    for isRotated in [true, false] {
      let places = right.map {
        isRotated ? rotation.inverse.apply($0.x, $0.y) : $0
      }
      let person = Person(taps(places))
      person.isRotated = isRotated
      let result = try run(person, rotation: rotation)
      for (value, wanted) in zip(result.matrix.values, CalibrationMatrix.identity.values) {
        #expect(abs(value - wanted) < 0.001, "\(result)")
      }
      #expect(result.error < 0.001 && result.checkError < 0.001 && result.presentError < 0.001)
      #expect(person.state == "begin clear end")
    }
  }

  @Test func `The check finds a picture that is turned by any angle`() throws {
    for rotation in Rotation.allCases where rotation != .none {
      let turned = right.map { rotation.apply($0.x, $0.y) }
      let person = Person(taps(Array(right.prefix(4)) + [turned[4]]))
      #expect(throws: Failure.self) { try run(person) }
      #expect(person.titles[5].contains("The fifth touch is"))
    }
  }

  @Test func `A touch that is off is told, and asked for three times at most`() throws {
    var wrong = right
    wrong[2].x -= 0.05
    let late = Person(taps(wrong) + taps(right))
    #expect(try run(late).error < 0.001)
    #expect(late.titles.count == 10 && late.titles[5].hasPrefix("No matrix fits"))
    let never = Person(taps(wrong) + taps(wrong) + taps(wrong))
    let failure = #expect(throws: Failure.self) { try run(never) }
    #expect(failure?.description.contains("Nothing was changed") == true)
    #expect(never.titles.count == 15 && never.state == "begin clear end")
  }

  @Test func `Several touches at once are no answer, and Enter gives up`() throws {
    let tap = stroke((1600, 900))
    let person = Person([[tap, tap], nil])
    #expect(throws: Failure.self) { try run(person) }
    #expect(person.titles.count == 2 && person.titles[1].hasPrefix("There were several touches"))
  }

  @Test func `A console leaves a strip free, and is as wide as the display before rotation`() throws
  {
    let geometry = try #require(
      DisplayGeometry(pixelWidth: 1920, pixelHeight: 1080, rotation: .quarter))
    let console = ScreenCanvas(geometry, isConsole: true, columns: 240, rows: 67)
    #expect(!console.isRotated)
    let place = console.nearest(.init(x: 0.9, y: 0.9))
    // The middle of the cell in column 216 and row 60; cells have 8 x 16 pixels.
    #expect(abs(place.x - 216.5 * 8 / 1920) < 1e-9 && abs(place.y - 60.5 * 16 / 1080) < 1e-9)
    let window = ScreenCanvas(geometry, isConsole: false, columns: 100, rows: 50)
    #expect(window.isRotated && abs(window.nearest(.init(x: 0.9, y: 0.1)).x - 0.905) < 1e-9)
  }

  // MARK: panel test

  private func measured(
    _ person: Person, _ steps: [PanelTestStep], pause: () throws -> RecordingPause? = { nil }
  ) throws -> [PanelTestResult.Step] {
    let surface = try #require(
      PanelSurface(x: 0...16_000, y: 0...9000, width: 320, height: 180, sizeSource: .kernel))
    return try withoutActuallyEscaping(pause) { pause in
      try PanelTestRun(
        touches: person, pause: pause, surface: surface, dialogue: silent, canvas: person
      ).run(steps)
    }
  }

  @Test func `What was not meant is asked for once more, and then counts`() throws {
    let lost = [stroke((8000, 4500), length: 700), stroke((8000, 4500), start: 900)]
    let short = [stroke((0, 900), (1000, 900), (2000, 900))]
    let person = Person([short, short, lost, lost, nil])
    var pauses = 0
    let steps = try measured(person, [.across(0.5), .hold(0.5, 0.5), .twoFingers]) {
      pauses += 1
      return nil
    }
    #expect(person.titles.count == 5 && pauses == 5)
    #expect(person.titles[1].hasPrefix("That was no line") && person.titles[1].contains("1 of 3"))
    #expect(person.titles[3].hasPrefix("The finger was lifted"))
    #expect(steps.map { $0.measures == nil } == [false, false, true])
    #expect(steps[0].broken.contains(.coverage))
    #expect(person.state == "begin clear end")
  }

  @Test func `A step of which the kernel lost events is asked for once more`() throws {
    let hold = [stroke((8000, 4500))]
    let person = Person([hold, hold, hold])
    person.losses = 1
    #expect(try measured(person, [.hold(0.5, 0.5), .hold(0.1, 0.1)]).count == 2)
    #expect(person.titles.count == 3 && person.titles[1].contains("lost reports"))
  }

  @Test func `An error of the pause ends the test, and the terminal is restored`() throws {
    let person = Person([])
    #expect(throws: Failure.self) {
      try measured(person, [.twoFingers]) { throw Failure("the daemon does not pause") }
    }
    #expect(person.titles.isEmpty && person.state == "begin clear end")
  }
}
