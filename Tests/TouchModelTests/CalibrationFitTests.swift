import TestSupport
import Testing

@testable import TouchModel

/// Crosses that are touched on panels whose map is known.
@Suite struct CalibrationFitTests {
  private static let crosses = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]

  /// Returns the touches of a panel on which this matrix is the right one.
  /// - Parameter miss: moves each touch, as a share of the panel.
  private func touches(
    _ matrix: CalibrationMatrix, at crosses: [(Double, Double)] = crosses,
    _ miss: () -> Double = { 0 }
  ) -> [CalibrationFit.Touch] {
    let (a, b, c) = (matrix.values[0], matrix.values[1], matrix.values[2])
    let (d, e, f) = (matrix.values[3], matrix.values[4], matrix.values[5])
    return crosses.map { x, y in
      CalibrationFit.Touch(
        x: (e * (x - c) - b * (y - f)) / matrix.determinant + miss(),
        y: (a * (y - f) - d * (x - c)) / matrix.determinant + miss(), targetX: x, targetY: y)
    }
  }

  private func matrix(_ text: String) throws -> CalibrationMatrix {
    try #require(CalibrationMatrix(text))
  }

  private func greatestDifference(_ left: CalibrationMatrix, _ right: CalibrationMatrix) -> Double {
    zip(left.values, right.values).map { abs($0 - $1) }.max() ?? 0
  }

  @Test(arguments: [
    "1 0 0 0 1 0", "0 -1 1 1 0 0", "-1 0 1 0 -1 1", "0 1 0 -1 0 1", "1.1 0 -0.05 0 0.9 0.04",
    "0.98 0.03 0.01 -0.02 1.05 -0.03", "0.04 -1.08 1.02 0.97 0.02 -0.01", "0.6 0 0.2 0 0.6 0.2",
  ])
  func `The matrix of a bent panel is found`(text: String) throws {
    let wanted = try matrix(text)
    let fit = try CalibrationFit(touches(wanted))
    #expect(greatestDifference(fit.matrix, wanted) < 1e-9 && fit.error < 1e-9)
  }

  @Test func `Fingers that miss by 1.5 in 1,000 move no number by more than 5 in 1,000`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let numbers = [1, 0, 0, 0, 1, 0].map { $0 + Double.random(in: -0.1...0.1, using: &random) }
      let wanted = try #require(CalibrationMatrix(numbers: numbers))
      let fit = try CalibrationFit(
        touches(wanted) { Double.random(in: -0.0015...0.0015, using: &random) })
      #expect(greatestDifference(fit.matrix, wanted) <= 0.005)
      #expect(fit.error <= 0.005)
    }
  }

  @Test func `A mirrored map is refused unless it is wanted`() throws {
    let mirror = try matrix("-1 0 1 0 1 0")
    #expect(throws: CalibrationFit.Fault.mirrored) { try CalibrationFit(touches(mirror)) }
    let fit = try CalibrationFit(touches(mirror), allowsMirrored: true)
    #expect(greatestDifference(fit.matrix, mirror) < 1e-9)
  }

  @Test func `Crosses in a wrong order are refused`() throws {
    let right = touches(.identity)
    for (first, second) in [(0, 1), (1, 2), (0, 3)] {
      var wrong = right
      (wrong[first].x, wrong[second].x) = (wrong[second].x, wrong[first].x)
      (wrong[first].y, wrong[second].y) = (wrong[second].y, wrong[first].y)
      #expect(throws: CalibrationFit.Fault.self) {
        try CalibrationFit(wrong, allowsMirrored: true)
      }
    }
  }

  @Test func `One touch beside its cross is refused`() throws {
    var touches = touches(.identity)
    touches[2].x -= 0.06
    let fault = #expect(throws: CalibrationFit.Fault.self) { try CalibrationFit(touches) }
    guard case .doesNotFit(let error) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    // A quarter of the miss at each cross.
    #expect(abs(error - 0.015) < 0.002)
  }

  @Test func `Touches at one place, on one line, and too few are refused`() throws {
    let place = touches(.identity, at: [(0.5, 0.5), (0.5, 0.5), (0.5, 0.5), (0.5, 0.5)])
    let line = touches(.identity, at: [(0.1, 0.1), (0.3, 0.3), (0.6, 0.6), (0.9, 0.9)])
    for wrong in [place, line, Array(touches(.identity).prefix(2)), []] {
      #expect(throws: CalibrationFit.Fault.onOneLine) { try CalibrationFit(wrong) }
    }
    var broken = touches(.identity)
    broken[0].x = .nan
    #expect(throws: CalibrationFit.Fault.onOneLine) { try CalibrationFit(broken) }
    broken[0].x = .infinity
    #expect(throws: CalibrationFit.Fault.onOneLine) { try CalibrationFit(broken) }
  }

  @Test func `A panel of another size than the picture is refused`() throws {
    #expect(throws: CalibrationFit.Fault.self) {
      try CalibrationFit(touches(matrix("0.15 0 0.4 0 1 0")))
    }
    #expect(throws: CalibrationFit.Fault.self) {
      try CalibrationFit(touches(matrix("7 0 -3 0 7 -3")))
    }
  }

  @Test func `Text and rounding keep the matrix`() throws {
    let matrix = try #require(
      CalibrationMatrix(numbers: [1.00000049, -0.0000001, 0.25, 0, -1, 1 / 3]))
    #expect(matrix.rounded.text == "1 0 0.25 0 -1 0.333333")
    #expect(CalibrationMatrix(matrix.text) == matrix)
    #expect(CalibrationMatrix(numbers: [1, 0, 0, 0, 1]) == nil)
    #expect(CalibrationMatrix(numbers: [1, 0, 0, 0, 1, .nan]) == nil)
  }

  @Test func `A rotation and its inverse cancel out`() {
    for rotation in Rotation.allCases {
      let place = rotation.inverse.apply(0.2, 0.7)
      let back = rotation.apply(place.x, place.y)
      #expect(abs(back.x - 0.2) < 1e-12 && abs(back.y - 0.7) < 1e-12)
    }
  }
}
