import TouchModel

/// Watches the mean distance of touches from the middle of each control. People do not aim at the
/// exact middle, so each control has its own usual offset. Only a change that many controls share
/// is a fault of the panel.
struct DriftWatch: Sendable {
  /// The smallest change that is reported, in mm.
  static let least = 0.8
  /// The smallest change that is reported, in standard errors.
  static let alarm = 6.0
  /// The smallest number of controls for a shift; a distortion needs twice as many.
  private static let leastControls = 3
  /// The standard deviation of a healthy control's offset from week to week, in mm.
  private static let scatter = 0.25
  /// The minimum number of days with touches, and of touches, for the reference of a control.
  private static let (referenceDays, referenceTouches) = (14, Int64(100))
  /// The number of the last days that are compared with the reference. The touches of a control
  /// must come from `leastDays` of them, and be at least `leastTouches`.
  private static let window = 7
  private static let (leastDays, leastTouches) = (3, 20.0)
  /// The smallest 1 - r² of the coordinates of the controls. Below it they lie in one row, which
  /// does not show a distortion in the other direction.
  private static let leastSpread = 0.05
  /// A change that has lasted for more days is the new usual: the kiosk was moved or calibrated.
  private static let forgotten = 60

  private struct Sum: Sendable {
    var touches = 0.0
    var right = 0.0
    var down = 0.0
    var squares = 0.0

    mutating func add(_ offset: ControlOffset) {
      let count = Double(offset.touches)
      touches += count
      right += count * offset.right
      down += count * offset.down
      squares += count * offset.spread * offset.spread
    }

    var error: Double { touches > 0 ? squares / touches / touches : .infinity }
  }

  private struct Reference: Sendable {
    var sum = Sum()
    var days = 0
    var touches: Int64 = 0
    var isComplete: Bool {
      days >= DriftWatch.referenceDays && touches >= DriftWatch.referenceTouches
    }
  }

  /// A change of the offset of a control.
  private struct Change {
    let x: Double
    let y: Double
    var right: Double
    var down: Double
    let weight: Double
  }

  /// A change that the controls share.
  struct Shift: Hashable, Sendable {
    var right: Double
    var down: Double
    var controls: Int
    var since: Int
    var evidence: Double
    var size: Double { (right * right + down * down).squareRoot() }
  }

  private var references: [String: Reference] = [:]
  private var recent: [(day: Int, offsets: [ControlOffset])] = []
  /// The day since which each change has been too large.
  private var since: (shift: Int?, distortion: Int?)
  private(set) var shift: Shift?
  /// The root mean square of the displacement of controls by stretching or turning, in mm.
  private(set) var distortion: Shift?

  /// The controls whose usual offset is known.
  private var known: Int { references.values.count { $0.isComplete } }

  /// Whether enough controls are known.
  var isReady: (shift: Bool, distortion: Bool) {
    (known >= Self.leastControls, known >= 2 * Self.leastControls)
  }

  mutating func add(_ offsets: [ControlOffset], on day: Int) {
    let offsets = offsets.filter { $0.touches > 0 }
    recent = recent.filter { $0.day > day - Self.window } + [(day, offsets)]
    for offset in offsets where references[offset.control]?.isComplete != true {
      references[offset.control, default: Reference()].sum.add(offset)
      references[offset.control]?.days += 1
      references[offset.control]?.touches += offset.touches
    }
    guard !offsets.isEmpty else { return }
    judge(changes(), on: day)
  }

  private func changes() -> [Change] {
    var sums: [String: (Sum, x: Double, y: Double, days: Int)] = [:]
    for offset in recent.flatMap(\.offsets) {
      sums[offset.control, default: (Sum(), offset.x, offset.y, 0)].0.add(offset)
      sums[offset.control]?.days += 1
    }
    return sums.sorted { $0.key < $1.key }.compactMap { control, now -> Change? in
      guard let reference = references[control], reference.isComplete,
        now.0.touches >= Self.leastTouches,
        // One day is not enough: few people may come, or stand differently.
        now.days >= Self.leastDays
      else {
        return nil
      }
      let former = reference.sum
      return Change(
        x: now.x, y: now.y, right: now.0.right / now.0.touches - former.right / former.touches,
        down: now.0.down / now.0.touches - former.down / former.touches,
        weight: 1 / (now.0.error + former.error + Self.scatter * Self.scatter))
    }
  }

  private mutating func judge(_ changes: [Change], on day: Int) {
    let found = shift(of: changes, on: day)
    let bent = distortion(of: changes, without: found, on: day)
    // A change is reported only from the second day with touches.
    shift = found.flatMap { found in since.shift.map { Self.dated(found, $0) } }
    distortion = bent.flatMap { bent in since.distortion.map { Self.dated(bent, $0) } }
    since.shift = found == nil ? nil : since.shift ?? day
    since.distortion = bent == nil ? nil : since.distortion ?? day
    if let first = [since.shift, since.distortion].compactMap(\.self).min(),
      day - first > Self.forgotten
    {
      self = DriftWatch()
    }
  }

  private static func dated(_ shift: Shift, _ since: Int) -> Shift {
    var shift = shift
    shift.since = since
    return shift
  }

  private func mean(_ changes: [Change]) -> (x: Double, y: Double, right: Double, down: Double) {
    let weight = changes.reduce(0) { $0 + $1.weight }
    func mean(_ value: (Change) -> Double) -> Double {
      changes.reduce(0) { $0 + $1.weight * value($1) } / weight
    }
    return (mean(\.x), mean(\.y), mean(\.right), mean(\.down))
  }

  private func shift(of changes: [Change], on day: Int) -> Shift? {
    guard changes.count >= Self.leastControls else { return nil }
    let weight = changes.reduce(0) { $0 + $1.weight }
    let mean = mean(changes)
    let shift = Shift(
      right: mean.right, down: mean.down, controls: changes.count, since: day,
      evidence: (mean.right * mean.right + mean.down * mean.down) * weight / 2)
    guard shift.size >= Self.least, shift.evidence >= Self.alarm * Self.alarm / 2 else {
      return nil
    }
    // Three quarters of the controls must have at least a third of the change, so that one much-used
    // control does not decide alone.
    let agreeing = changes.filter {
      ($0.right * mean.right + $0.down * mean.down) / shift.size >= shift.size / 3
    }
    return agreeing.count * 4 >= changes.count * 3 ? shift : nil
  }

  /// Fits a linear map from the positions of controls to their changes.
  private func distortion(of changes: [Change], without shift: Shift?, on day: Int) -> Shift? {
    guard changes.count >= 2 * Self.leastControls else { return nil }
    let mean = mean(changes)
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    var (xRight, yRight, xDown, yDown) = (0.0, 0.0, 0.0, 0.0)
    for change in changes {
      let (x, y) = (change.x - mean.x, change.y - mean.y)
      xx += change.weight * x * x
      xy += change.weight * x * y
      yy += change.weight * y * y
      xRight += change.weight * x * (change.right - mean.right)
      yRight += change.weight * y * (change.right - mean.right)
      xDown += change.weight * x * (change.down - mean.down)
      yDown += change.weight * y * (change.down - mean.down)
    }
    let determinant = xx * yy - xy * xy
    guard determinant > Self.leastSpread * xx * yy else { return nil }
    let right = (
      (xRight * yy - yRight * xy) / determinant, (yRight * xx - xRight * xy) / determinant
    )
    let down = ((xDown * yy - yDown * xy) / determinant, (yDown * xx - xDown * xy) / determinant)
    let explained = xRight * right.0 + yRight * right.1 + xDown * down.0 + yDown * down.1
    let size = (explained / changes.reduce(0) { $0 + $1.weight }).squareRoot()
    guard size >= Self.least, explained >= Self.alarm * Self.alarm else { return nil }
    return Shift(right: size, down: 0, controls: changes.count, since: day, evidence: explained / 2)
  }
}
