public import TouchModel

/// The mean offset of the touches of a control from its middle on one day.
public struct ControlOffset: Hashable, Sendable {
  /// The identity of the control: its screen, its name and its set. A moved control has a new
  /// identity.
  public var control: String
  /// The middle of the control, in mm from the corner of the display.
  public var x: Double
  public var y: Double
  /// The number of hits and near misses.
  public var touches: Int64
  /// The mean distance of the touches from the middle, in mm, to the right and downward.
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

/// The counts of one day from which the health of a panel is judged.
public struct PanelDay: Hashable, Sendable {
  /// Days since 1970-01-01, in the kiosk's calendar.
  public var number: Int
  public var counts: PanelCounts
  /// The number of sessions of the kiosk that began in each of the 24 hours of its clock.
  public var sessions: [UInt64]
  /// The number of these sessions that touched this panel; nil if unknown.
  public var touched: UInt64?
  /// The masked touches of these sessions. A panel without touches may only be masked.
  public var masked: UInt64
  /// The ghosts of the panel that belong to no session, by cell.
  public var strayGhosts: [PanelCell: UInt64]
  /// The layout of the screens, such as the tag of the app's build. Positions of touches are
  /// compared only among days with the same layout. nil if it is unknown or changed on that day.
  public var layout: String?
  /// The offsets of controls; empty if there are no controls or the size of the display is unknown.
  public var offsets: [ControlOffset]
  /// The difference of the kiosk's clock from UTC, in hours, rounded.
  public var hoursAhead: Int
  /// The number of hours of the day that have passed: fewer than 24 today.
  public var hoursOver: Int

  /// - Precondition: `sessions` has 24 elements.
  public init(
    number: Int, counts: PanelCounts = PanelCounts(),
    sessions: [UInt64] = Array(repeating: 0, count: 24), touched: UInt64? = nil,
    masked: UInt64 = 0, strayGhosts: [PanelCell: UInt64] = [:],
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
