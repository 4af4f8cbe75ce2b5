import Reports
import TouchModel

/// Asks for touches on four crosses, fits the matrix that maps them to the crosses, and checks it
/// with a fifth touch.
struct CalibrationRun {
  struct Result {
    var matrix: CalibrationMatrix
    /// The greatest error of the four touches, as a share of the display's width or height.
    var error: Double
    /// The error of the fifth touch, which is not part of the fit, as a share of the display.
    var checkError: Double
    /// The greatest error of the five touches with the daemon's current matrix, as a share of the
    /// display.
    var presentError: Double
  }

  let touches: any PanelTouches
  /// nil if no daemon runs.
  let pause: RecordingPause?
  let placement: Placement
  let allowsMirrored: Bool
  let dialogue: Dialogue
  let canvas: any PanelCanvas

  /// The greatest accepted error of the fifth touch, as a share of the display. Fingers miss a
  /// cross by a few mm.
  static let checkLimit = 0.02
  /// The crosses: four near the corners, and one that checks the matrix. Their positions are not
  /// symmetric, so every rotation of the picture would move all of them.
  static let crosses = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9), (0.6, 0.35)].map {
    PanelScene.Place(x: $0.0, y: $0.1)
  }

  func run() throws -> Result {
    try touches.begin()
    defer {
      canvas.clear()
      touches.end()
    }
    var note = ""
    for attempt in 1...3 {
      do throws(Refusal) { return try once(note) } catch {
        guard let problem = error.problem else { throw error.failure }
        guard attempt < 3 else { throw Failure("\(problem) Nothing was changed.") }
        note = "\(problem) Once more, from the first cross. "
      }
    }
    throw Refusal().failure
  }

  /// The reason why there is no matrix.
  private struct Refusal: Error {
    /// The problem with the touches; nil if trying again would not help.
    var problem: String?
    var failure: any Error = Failure("there was no touch, and nothing was changed")
  }

  /// - Parameter note: the problem of the previous attempt.
  private func once(_ note: String) throws(Refusal) -> Result {
    var touches: [CalibrationFit.Touch] = []
    for (index, wanted) in Self.crosses.enumerated() {
      let place = canvas.nearest(wanted)
      let title =
        "Cross \(index + 1) of \(Self.crosses.count). Touch it with one finger, and lift it."
      touches.append(try touch(place, title, note: index == 0 ? note : ""))
    }
    let (four, check) = (touches.dropLast(), touches[4])
    let fit: CalibrationFit
    do throws(CalibrationFit.Fault) {
      fit = try CalibrationFit(Array(four), allowsMirrored: allowsMirrored)
    } catch {
      throw Refusal(problem: error.words)
    }
    let matrix = fit.matrix.rounded
    let checkError = matrix.error(of: check)
    guard checkError <= Self.checkLimit else {
      throw Refusal(
        problem: """
          The fifth touch is \(percent(checkError)) of the display from its cross, although the other four \
          fit: one of them was off, or the panel is not even.
          """)
    }
    let present = touches.map { placement.matrix.error(of: $0) }.max() ?? 0
    return Result(
      matrix: matrix, error: fit.error, checkError: checkError, presentError: present)
  }

  /// Waits for a touch of one finger on a cross.
  private func touch(
    _ place: PanelScene.Place, _ title: String, note: String
  ) throws(Refusal) -> CalibrationFit.Touch {
    do {
      var note = note
      while true {
        touches.discard()
        try canvas.show(PanelScene(title: note + title, crosses: [place]))
        if !canvas.fillsTerminal { try dialogue.say(note + title) }
        guard let strokes = try touches.strokes(pausing: pause) else { throw Refusal() }
        guard strokes.count == 1, let stroke = strokes.first else {
          note = "There were several touches. Once more: "
          continue
        }
        let x = placement.x.normalised(Self.median(stroke.samples.map(\.x)))
        let y = placement.y.normalised(Self.median(stroke.samples.map(\.y)))
        // The daemon applies the matrix before the picture's rotation.
        let rotation = canvas.isRotated ? placement.geometry.rotation : .none
        let target = rotation.inverse.apply(place.x, place.y)
        return CalibrationFit.Touch(x: x, y: y, targetX: target.x, targetY: target.y)
      }
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(failure: error)
    }
  }

  private static func median(_ values: [Int32]) -> Int32 { values.sorted()[values.count / 2] }
}

extension CalibrationFit.Fault {
  var words: String {
    switch self {
    case .onOneLine: "The four touches lie at one place or on one line."
    case .scale: "The four touches do not spread over the panel as the crosses do over the picture."
    case .doesNotFit(let error):
      "No matrix fits the four touches: one of them is \(percent(error)) of the display off."
    case .mirrored:
      """
      The crosses were touched in a wrong order, or the panel is mirrored; if it is, add --mirrored.
      """
    }
  }
}

/// Formats a share as a percentage with one decimal, rounded up.
func percent(_ share: Double) -> String {
  let tenths = share.isFinite ? Int(min(share * 1000, 1e9).rounded(.up)) : 1_000_000_000
  return "\(tenths / 10).\(tenths % 10) %"
}
