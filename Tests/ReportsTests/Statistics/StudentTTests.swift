import Glibc
import TestSupport
import Testing

@testable import Reports

/// Compares the results with those of other programs: mpmath 1.3 with 60 digits (`betainc`), and
/// SciPy 1.17.
@Suite struct StudentTTests {
  @Test func `Probabilities equal those of mpmath with 60 digits`() throws {
    for line in table.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      try #require(numbers.count == 3)
      let p = StudentT(degreesOfFreedom: numbers[0]).twoSidedP(numbers[1])
      #expect(abs(p / numbers[2] - 1) < 1e-12, "df \(numbers[0]), t \(numbers[1]): \(p)")
    }
  }

  @Test func `For one and two degrees of freedom, the closed formulas hold`() {
    for t in stride(from: 0.0, through: 50, by: 0.37) {
      let cauchy = 1 - 2 * atan(t) / .pi
      #expect(abs(StudentT(degreesOfFreedom: 1).twoSidedP(t) - cauchy) < 1e-14)
      let two = 1 - t / (2 + t * t).squareRoot()
      #expect(abs(StudentT(degreesOfFreedom: 2).twoSidedP(t) - two) < 1e-14)
    }
  }

  @Test func `Probabilities fall with the distance and with the degrees of freedom`() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      let df = exp(Double.random(in: 0...log(1e6), using: &generator))
      let t = exp(Double.random(in: -6...28, using: &generator))
      let p = StudentT(degreesOfFreedom: df).twoSidedP(t)
      #expect(0...1 ~= p && p == StudentT(degreesOfFreedom: df).twoSidedP(-t))
      #expect(StudentT(degreesOfFreedom: df).twoSidedP(t * 1.001) <= p)
      #expect(StudentT(degreesOfFreedom: df * 1.01).twoSidedP(t) <= p * (1 + 1e-12))
      guard p > 1e-290, p < 0.999 else { continue }
      let back = StudentT(degreesOfFreedom: df).critical(twoSidedP: p)
      #expect(abs(back / t - 1) < 1e-10, "df \(df), t \(t): \(back)")
    }
  }

  @Test func `Zero, infinity and NaN are handled`() {
    let distribution = StudentT(degreesOfFreedom: 9)
    #expect(distribution.twoSidedP(0) == 1)
    #expect(distribution.twoSidedP(.infinity) == 0 && distribution.twoSidedP(1e200) == 0)
    #expect(distribution.twoSidedP(.nan).isNaN)
    #expect(distribution.critical(twoSidedP: 1) == 0)
    #expect(distribution.critical(twoSidedP: 0) == .infinity)
  }
}

/// The columns are degrees of freedom, t, and the two-sided p.
private let table = """
  1.5 0.001 0.99931853022671974
  1.5 1 0.45113536727671032
  1.5 2.5 0.16980650261469606
  1.5 12 0.018042029274027864
  1.5 37 0.0033489768919296697
  60 0.001 0.99920543302314182
  60 1 0.32132650329324615
  60 2.5 0.015170780234888524
  60 12 1.3786322641817738e-17
  60 37 5.1717022921869405e-43
  61 0.001 0.99920537875496295
  61 1 0.32126093973605941
  61 2.5 0.015124056972334232
  61 12 1.0601904794561108e-17
  61 37 1.7039851497091599e-43
  1000000 0.001 0.99920211577164909
  1000000 1 0.31731074983357813
  1000000 2.5 0.012419489502163246
  1000000 12 3.5716851247650898e-33
  1000000 37 1.8299730861802263e-299
  """
