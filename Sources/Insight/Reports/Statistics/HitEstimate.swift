internal import Glibc

/// An estimate of the hit share of a control: of the touches that were meant for it, the share that
/// hit it.
///
/// The hits, the near misses and the touches around are independent counts with Poisson
/// distributions. Of `tries` touches that were meant for the control, a share hits it and the rest
/// are near misses. Accidental touches are equally dense in all three places. The interval of the
/// share is that of its profile likelihood: for each share, `tries` and the density are chosen so
/// that the counts are as likely as they can be (Rolke, López and Conrad 2005, for a single rate
/// with an unknown background).
struct HitEstimate {
  /// The numbers of hits, of near misses, and of touches around.
  let hits: Double
  let near: Double
  let around: Double
  /// The areas in and near the control, relative to the area around it.
  let inside: Double
  let beside: Double

  /// The most likely number of touches that were meant for the control.
  let tries: Double
  /// The most likely number of near misses among these.
  let missed: Double
  /// The most likely hit share.
  let value: Double

  init(hits: Double, near: Double, around: Double, inside: Double, beside: Double) {
    (self.hits, self.near, self.around) = (hits, near, around)
    (self.inside, self.beside) = (inside, beside)
    let hit = max(0, hits - around * inside)
    missed = max(0, near - around * beside)
    tries = hit + missed
    value = tries > 0 ? hit / tries : 0
  }

  /// Returns the interval of the share.
  /// - Parameter z: half its width, in standard errors.
  func interval(z: Double) -> ClosedRange<Double> {
    let best = likelihood(of: value)
    func isIn(_ share: Double) -> Bool { 2 * (best - likelihood(of: share)) <= z * z }
    return edge(from: value, to: 0, isIn)...edge(from: value, to: 1, isIn)
  }

  /// Returns the end of the interval between `start`, which is in it, and `end`.
  private func edge(from start: Double, to end: Double, _ isIn: (Double) -> Bool) -> Double {
    if isIn(end) { return end }
    var (inner, outer) = (start, end)
    for _ in 0..<40 where abs(outer - inner) > 1e-5 {
      let middle = (inner + outer) / 2
      if isIn(middle) { inner = middle } else { outer = middle }
    }
    return (inner + outer) / 2
  }

  /// The logarithm of the likelihood of a share, with the most likely other parameters, except for
  /// a constant.
  private func likelihood(of share: Double) -> Double {
    // Expectation maximisation: divide the touches between the two sources by the parameters, then
    // compute the parameters from the parts.
    var (tries, density) = (max(1, tries), max(0.5, around))
    var last = -Double.infinity
    for _ in 0..<2000 {
      let (hitsMeant, hitsStray) = (tries * share, density * inside)
      let (nearMeant, nearStray) = (tries * (1 - share), density * beside)
      let (allHits, allNear) = (hitsMeant + hitsStray, nearMeant + nearStray)
      let now =
        Self.term(hits, allHits) + Self.term(near, allNear) + Self.term(around, density)
      if now - last < 1e-7 { return now }
      last = now
      func part(_ count: Double, _ source: Double, _ all: Double) -> Double {
        all > 0 ? count * source / all : 0
      }
      tries = part(hits, hitsMeant, allHits) + part(near, nearMeant, allNear)
      density =
        (around + part(hits, hitsStray, allHits) + part(near, nearStray, allNear))
        / (1 + inside + beside)
    }
    return last
  }

  /// The logarithm of the probability of a count, except for a constant.
  private static func term(_ count: Double, _ mean: Double) -> Double {
    if count == 0 { return -mean }
    return mean > 0 ? count * log(mean) - mean : -.infinity
  }
}
