/// Counts the touches of one session for a set of controls.
struct ControlTally: Sendable {
  /// The data of a touch that controls need.
  struct Contact: Sendable {
    /// The position at touch-down.
    var point: Point
    /// The control of the set to which it belongs; nil if none is near.
    var match: ControlSet.Match?
    var began: Timestamp
    /// The width and height of the box around its path, in points.
    var extent: (width: Double, height: Double)
    /// Whether the touch may prove to be a ghost. It then counts as a hit or a near miss, which can
    /// be removed, but neither as a retry nor in a run of taps.
    var isSuspect: Bool
  }

  /// The counts that a touch added, from which it can be removed.
  struct Effect: Hashable, Sendable {
    var match: ControlSet.Match
    /// Its position relative to the centre of the control, in whole points.
    var x: Int64
    var y: Int64
  }

  /// The time after a near miss within which a hit is a retry, in µs.
  static let retryTime: Int64 = 3_000_000
  /// The time within which three taps are rage taps, in µs.
  static let rageTime: Int64 = 1_000_000
  /// The greatest distance of the other taps of a run from the first, in mm.
  static let rageDistance = 8.0
  /// The greatest motion of a tap, horizontally or vertically, in mm. A touch that moves farther is
  /// a swipe.
  static let tapExtent = 8.0

  private struct Run: Sendable {
    let control: Int
    let start: Point
    /// The times of the last two taps.
    var before: Timestamp?
    var last: Timestamp
    var isRage = false
  }

  let set: ControlSet
  let subject: CountSubject
  private(set) var numbers: [Int64]
  var hasChanged = true
  /// The last touch on the screen, if it was a near miss.
  private var miss: (control: Int, began: Timestamp)?
  private var run: Run?

  /// The memory that the numbers of a set take, in bytes.
  static func byteCount(of set: ControlSet) -> Int { set.controls.count * ControlNumber.count * 8 }

  init(_ set: ControlSet, on key: GridKey) {
    self.set = set
    subject = ControlKind.subject(key, set)
    numbers = Array(repeating: 0, count: set.controls.count * ControlNumber.count)
  }

  /// Adds a touch.
  /// - Returns: nil if it is a swipe, or if it lies beyond `ControlSums.rings` from all controls.
  mutating func count(_ contact: Contact) -> Effect? {
    guard max(contact.extent.width, contact.extent.height) <= Self.tapExtent / set.pointSize else {
      // A swipe is not meant for the control where it begins.
      (miss, run) = (nil, nil)
      return nil
    }
    let match = contact.match
    if !contact.isSuspect {
      noteRetry(match, contact)
      noteTap(match, contact)
    }
    guard let match else { return nil }
    hasChanged = true
    let (x, y) = set.controls[match.control].rectangle.offset(of: contact.point)
    let effect = Effect(match: match, x: x, y: y)
    add(effect, 1)
    return effect
  }

  /// Removes the counts of a suspected ghost.
  mutating func remove(_ effect: Effect) {
    add(effect, -1)
    hasChanged = true
  }

  mutating func addResponse(to control: Int, bin: Int) {
    numbers[control * ControlNumber.count + ControlNumber.responses + bin] += 1
    hasChanged = true
  }

  private mutating func add(_ effect: Effect, _ amount: Int64) {
    let match = effect.match
    let start = match.control * ControlNumber.count
    if match.isHit || match.isNear {
      let place = start + (match.isHit ? ControlNumber.hits : ControlNumber.nearMisses)
      let (x, y) = (effect.x, effect.y)
      for (offset, value) in [1, x, y, x * x, y * y, x * y].enumerated() {
        numbers[place + offset] += amount * value
      }
    }
    if let ring = match.ring {
      let place = match.side.rawValue * ControlSums.rings.count + ring
      numbers[start + ControlNumber.beside + place] += amount
    } else {
      numbers[start + ControlNumber.sessions] = min(1, numbers[start + ControlNumber.hits])
    }
  }

  private mutating func noteRetry(_ match: ControlSet.Match?, _ contact: Contact) {
    if let miss, let match, match.isHit, match.control == miss.control,
      (0...Self.retryTime).contains(contact.began - miss.began)
    {
      numbers[match.control * ControlNumber.count + ControlNumber.retried] += 1
    }
    miss = match.flatMap { $0.isNear ? ($0.control, contact.began) : nil }
  }

  private mutating func noteTap(_ match: ControlSet.Match?, _ contact: Contact) {
    let far = Self.rageDistance / set.pointSize
    guard let match, match.isHit || match.isNear, set.controls[match.control].countsRage else {
      return run = nil
    }
    guard var current = run, current.control == match.control,
      (0...Self.rageTime).contains(contact.began - current.last),
      contact.point.distance(to: current.start) <= far
    else {
      return run = Run(control: match.control, start: contact.point, last: contact.began)
    }
    let place = match.control * ControlNumber.count
    if current.isRage {
      numbers[place + ControlNumber.rageTaps] += 1
    } else if let before = current.before, contact.began - before <= Self.rageTime {
      current.isRage = true
      numbers[place + ControlNumber.rageRuns] += 1
      numbers[place + ControlNumber.rageTaps] += 3
      numbers[place + ControlNumber.rageSessions] = 1
    }
    (current.before, current.last) = (current.last, contact.began)
    run = current
  }
}

extension ControlSet {
  /// The control that a touch belongs to.
  public struct Match: Hashable, Sendable {
    /// The index of the control in the set.
    public let control: Int
    /// The index of the ring in `ControlSums.rings`; nil for a hit.
    public let ring: Int?
    /// The side on which a touch outside of the control lies; of no meaning for a hit.
    public let side: ControlSums.Side

    public var isHit: Bool { ring == nil }
    /// Whether the touch is a near miss.
    public var isNear: Bool { ring.map { ControlSums.rings[$0] <= ControlSums.nearMiss } ?? false }
  }

  /// Finds the control that a touch belongs to: the topmost control at the point, otherwise the
  /// nearest one. Of several nearest ones, it is the topmost.
  /// - Returns: nil if none is within the last of `ControlSums.rings`.
  public func match(_ point: Point) -> Match? {
    var nearest: (control: Int, square: Double)?
    let reach = (ControlSums.rings.last ?? 0) / pointSize
    // Read only the rectangles: a copy of a control would also count references to its name.
    for control in controls.indices.reversed() {
      let (x, y) = controls[control].rectangle.excess(to: point)
      guard abs(x) <= reach, abs(y) <= reach else { continue }
      let square = x * x + y * y
      if square < nearest?.square ?? .infinity { nearest = (control, square) }
      if square == 0 { break }
    }
    guard let nearest else { return nil }
    let side = controls[nearest.control].rectangle.side(of: point)
    if nearest.square == 0 { return Match(control: nearest.control, ring: nil, side: side) }
    let distance = nearest.square.squareRoot() * pointSize
    guard let ring = ControlSums.rings.firstIndex(where: { distance <= $0 }) else { return nil }
    return Match(control: nearest.control, ring: ring, side: side)
  }
}

extension Rectangle {
  /// The distance of a point beyond the rectangle: negative to the left or above, positive to the
  /// right or below, 0 inside.
  func excess(to point: Point) -> (x: Double, y: Double) {
    (Self.excess(point.x, x, x + width), Self.excess(point.y, y, y + height))
  }

  private static func excess(_ value: Double, _ low: Double, _ high: Double) -> Double {
    value < low ? value - low : value > high ? value - high : 0
  }

  /// The position of a point relative to the centre, in whole points.
  fileprivate func offset(of point: Point) -> (x: Int64, y: Int64) {
    (
      Int64((point.x - x - width / 2).rounded()), Int64((point.y - y - height / 2).rounded())
    )
  }

  fileprivate func side(of point: Point) -> ControlSums.Side {
    let (across, down) = excess(to: point)
    if abs(across) >= abs(down) { return across < 0 ? .left : .right }
    return down < 0 ? .top : .bottom
  }
}

extension Point {
  fileprivate func distance(to other: Point) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}
