import TestSupport
import Testing
import TouchFeedback
import TouchModel

@Suite struct ContrastTests {
  /// Returns the brightness, from 0 to 1, at a distance in points from the bubble's centre.
  private func brightness(_ shapes: [Shape], _ distance: Double, on background: Double) -> Double {
    shapes.reduce(background) { below, shape in
      guard let disc = Disc(shape) else { return below }
      let inner = disc.radius - disc.ringWidth
      guard distance < disc.radius else { return below }
      let colour = distance < inner ? disc.fill : disc.ring
      return below + (colour.red - below) * colour.opacity
    }
  }

  /// Returns the contrast ratio of two sRGB greys, as in the Web Content Accessibility Guidelines
  /// 2.1.
  private func contrast(_ one: Double, _ two: Double) -> Double {
    let (a, b) = (linear(one) + 0.05, linear(two) + 0.05)
    return max(a, b) / min(a, b)
  }

  /// WCAG 2.1, 1.4.11, requires of graphics a contrast of at least 3 against adjacent colours.
  @Test(arguments: [true, false], stride(from: 0, through: 1, by: 0.05).map { $0 })
  func `An edge of the bubble has a contrast of at least 3 on any background`(
    isRing: Bool, background: Double
  ) {
    var fingers = Fingers()
    fingers.style.isRing = isRing
    fingers.report(1, .began, at: 0)
    let shapes = fingers.shapes(at: 0)
    let across = stride(from: 0.25, to: 24, by: 0.5).map {
      brightness(shapes, $0, on: background)
    }
    // The contrasts between neighbouring points, from the centre to the background.
    let edges = zip(across.dropFirst(), across).map { contrast($0, $1) }
    #expect((edges.max() ?? 1) >= 3, "\(edges.max() ?? 1)")
    // The disc must also stand out from the background itself: its middle, its ring or the line
    // around it. Otherwise only the edges between these would be visible.
    if !isRing {
      let middle = contrast(brightness(shapes, 0.25, on: background), background)
      let ring = contrast(brightness(shapes, 19.5, on: background), background)
      let line = contrast(brightness(shapes, 21.5, on: background), background)
      #expect(max(middle, ring, line) >= 2.9, "\(middle) \(ring) \(line)")
    }
  }

  @Test func `On white the disc differs from the background`() {
    var fingers = Fingers()
    fingers.report(1, .began, at: 0)
    let middle = brightness(fingers.shapes(at: 0), 0.25, on: 1)
    #expect(contrast(middle, 1) > 1.2)
  }
}
