import TestSupport
import Testing
import TouchModel

@testable import TouchFeedback

@Suite struct FingerColourTests {
  private func colours(_ fingers: Fingers, at ms: Double) -> [Colour] {
    fingers.discs(at: ms).map {
      var colour = $0.fill
      colour.opacity = 1
      return colour
    }
  }

  @Test func `A finger takes the lowest free colour at its touch-down`() {
    var fingers = Fingers()
    fingers.style.coloursByFinger = true
    for touch in 0..<3 { fingers.report(Int64(touch), .began, Double(touch) * 100, at: 0) }
    #expect(colours(fingers, at: 0) == Array(FingerColours.all[0..<3]))
    fingers.report(1, .cancelled, at: 500)
    fingers.report(3, .began, 700, at: 600)
    // The other fingers keep their colours.
    #expect(colours(fingers, at: 600) == [0, 2, 1].map { FingerColours.all[$0] })
  }

  @Test func `A fading bubble keeps its colour, which is free for the next finger`() {
    var fingers = Fingers()
    fingers.style.coloursByFinger = true
    fingers.tap(1, at: 0)
    fingers.report(2, .began, 300, at: 70)
    #expect(colours(fingers, at: 70) == [FingerColours.all[0], FingerColours.all[0]])
  }

  @Test func `Each display assigns colours of its own`() {
    var fingers = Fingers()
    fingers.style.coloursByFinger = true
    fingers.report(1, .began, at: 0)
    fingers.report(2, .began, at: 0, on: "B")
    let there = fingers.discs(at: 0, on: "B").map(\.fill)
    #expect(there == fingers.discs(at: 0).map(\.fill))
  }

  @Test func `The eleventh finger has the first colour again`() {
    var fingers = Fingers()
    fingers.style.coloursByFinger = true
    for touch in 0..<11 { fingers.report(Int64(touch), .began, Double(touch), at: 0) }
    #expect(colours(fingers, at: 0).last == FingerColours.all[0])
  }

  /// The kinds of colour vision, with matrices for linear RGB. Those of the deficiencies are for a
  /// severity of 1.0, from Machado, Oliveira, Fernandes: "A physiologically-based model for
  /// simulation of color vision deficiency", 2009.
  private static let visions: [(name: String, rows: [[Double]])] = [
    ("usual", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    (
      "protanopia",
      [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
      ]
    ),
    (
      "deuteranopia",
      [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
      ]
    ),
    (
      "tritanopia",
      [
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
      ]
    ),
  ]

  /// Returns the colour that is seen with this kind of colour vision, in CIE L*a*b*.
  private func seen(_ colour: Colour, _ vision: [[Double]]) -> [Double] {
    let light = [colour.red, colour.green, colour.blue].map(linear)
    return lab(vision.map { row in max(0, min(1, zip(row, light).map(*).reduce(0, +))) })
  }

  /// A difference of 2.3 in CIE L*a*b* is just noticeable (Mahy and others, 1994). The colours must
  /// be about six times as far apart.
  @Test func `The ten colours are distinguishable for every kind of colour vision`() {
    #expect(FingerColours.all.count == 10)
    for vision in Self.visions {
      let labs = FingerColours.all.map { seen($0, vision.rows) }
      for one in labs.indices {
        for other in labs.indices where other < one {
          let far = zip(labs[one], labs[other]).map { ($0 - $1) * ($0 - $1) }.reduce(0, +)
          #expect(far.squareRoot() > 14, "\(vision.name): \(other) and \(one)")
        }
      }
    }
  }
}
