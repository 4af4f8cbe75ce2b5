public import TouchModel

/// How far the touches of a control lay from its middle on one day.
public struct ControlOffset: Hashable, Sendable {
  /// The identity of the control: its screen, its name, and the set that it belongs to. A control
  /// that was moved is another one.
  public var control: String
  /// The middle of the control, in mm from the corner of the display.
  public var x: Double
  public var y: Double
  /// Hits and near misses.
  public var touches: Int64
  /// The mean distance of the touches from the middle, in mm: to the right, and down.
  public var right: Double
  public var down: Double
  /// The standard deviation of the distance along one direction, in mm.
  public var spread: Double

  public init(
    control: String, x: Double, y: Double, touches: Int64, right: Double, down: Double,
    spread: Double
  ) {
    self.control = control
    self.x = x
    self.y = y
    self.touches = touches
    self.right = right
    self.down = down
    self.spread = spread
  }
}

/// A day of a panel, as its health is judged.
public struct PanelDay: Hashable, Sendable {
  /// Days since 1970-01-01, in the kiosk's calendar.
  public var number: Int
  public var counts: PanelCounts
  /// How many sessions of the kiosk began in each of the 24 hours of its clock.
  public var sessions: [UInt64]
  /// How many of these sessions touched this panel; nil if it is unknown.
  public var touched: UInt64?
  /// The masked touches of these sessions. A panel that seems to be silent may just be masked.
  public var masked: UInt64
  /// The ghosts of the panel that belong to no session.
  public var strayGhosts: UInt64
  /// What the screens look like: the tag of the app's build, for instance. Places of touches are
  /// compared only among days with the same layout. nil if it is unknown, or changed on that day.
  public var layout: String?
  /// The offsets of controls, if there are controls and the size of the display is known.
  public var offsets: [ControlOffset]
  /// How many hours the kiosk's clock is ahead of UTC, rounded.
  public var hoursAhead: Int
  /// How many hours of the day are over: fewer than 24 today.
  public var hoursOver: Int

  /// - Precondition: `sessions` has 24 elements.
  public init(
    number: Int, counts: PanelCounts = PanelCounts(),
    sessions: [UInt64] = Array(repeating: 0, count: 24), touched: UInt64? = nil,
    masked: UInt64 = 0, strayGhosts: UInt64 = 0,
    layout: String? = nil, offsets: [ControlOffset] = [], hoursAhead: Int = 0,
    hoursOver: Int = 24
  ) {
    precondition(sessions.count == 24)
    self.number = number
    self.counts = counts
    self.sessions = sessions
    self.touched = touched
    self.masked = masked
    self.strayGhosts = strayGhosts
    self.layout = layout
    self.offsets = offsets
    self.hoursAhead = hoursAhead
    self.hoursOver = hoursOver
  }
}

extension PanelCounts {
  /// The contacts that began in each line of a direction.
  func touchDowns(_ direction: Direction) -> [Int64] {
    var sums = Array(repeating: Int64(0), count: direction.lines)
    for row in 0..<Self.rows {
      for column in 0..<Self.columns {
        sums[direction == .vertical ? column : row] += self[column: column, row: row]
      }
    }
    return sums
  }

  /// A number for each line of a direction.
  func lines(_ count: LineCount, _ direction: Direction) -> [Int64] {
    (0..<direction.lines).map { self[count, direction, $0] }
  }
}
