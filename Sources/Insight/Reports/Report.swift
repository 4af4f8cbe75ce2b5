public import Heatmaps
public import TouchModel

/// The contents of a report. Its texts are made for display. Times are in the time zone of the user
/// who made the report.
public struct Report: Sendable {
  /// A point in time, in a form for programs and as text.
  public struct Time: Hashable, Sendable {
    public var at: WallTime
    /// Such as `2026-11-21 14:03`.
    public var text: String

    public init(at: WallTime, text: String) {
      self.at = at
      self.text = text
    }
  }

  /// A set of sessions that the maps can show: a part of the span, or one session.
  public struct Choice: Hashable, Sendable {
    public enum Kind: String, Sendable { case span, month, day, session }
    /// Unique in the report. The first choice covers the whole report.
    public var id: String
    public var kind: Kind
    /// Such as `last 30 days`, `2026-11` or `session 12`.
    public var name: String
    /// The start of the span; nil for no lower bound. For a session, the time of its beginning.
    public var since: Time?
    /// The end of the span; nil for no upper bound. For a session, the time of its last touch.
    public var until: Time?

    public init(id: String, kind: Kind, name: String, since: Time? = nil, until: Time? = nil) {
      self.id = id
      self.kind = kind
      self.name = name
      self.since = since
      self.until = until
    }
  }

  /// A session that has maps of its own.
  public struct Session: Hashable, Sendable {
    /// The id of the choice that shows it.
    public var choice: String
    public var id: Int64
    public var began: Time
    public var durationMilliseconds: UInt64
    /// The reason why the session ended, as text.
    public var ending: String
    public var tags: [String: String]
    public var totals: SessionTotals

    public init(
      choice: String, id: Int64, began: Time, durationMilliseconds: UInt64, ending: String,
      tags: [String: String], totals: SessionTotals
    ) {
      self.choice = choice
      self.id = id
      self.began = began
      self.durationMilliseconds = durationMilliseconds
      self.ending = ending
      self.tags = tags
      self.totals = totals
    }
  }

  /// A day of the local calendar on which sessions began.
  public struct Day: Hashable, Sendable {
    /// `YYYY-MM-DD`.
    public var day: String
    public var sessions: UInt64
    /// nil if unknown.
    public var totals: SessionTotals?
    /// The number of sessions that began in each local hour: 24 numbers. nil if unknown.
    public var hours: [UInt64]?

    public init(day: String, sessions: UInt64, totals: SessionTotals?, hours: [UInt64]?) {
      self.day = day
      self.sessions = sessions
      self.totals = totals
      self.hours = hours
    }
  }

  /// The durations of the report's sessions that are still stored.
  public struct Lengths: Hashable, Sendable {
    /// The lower limits of the ranges, in ms.
    static let limits: [UInt64] = [0, 10, 30, 60, 120, 300, 600].map { $0 * 1000 }

    /// The number of sessions in each range.
    public private(set) var sessions = [UInt64](repeating: 0, count: limits.count)
    /// The number of sessions with a single touch.
    public private(set) var oneTouch: UInt64 = 0

    public init() {}

    public mutating func add(_ session: SessionRecord) {
      guard session.end != nil else { return }
      let (length, overflows) = session.lastActive.milliseconds
        .subtractingReportingOverflow(session.began.milliseconds)
      let time = overflows ? 0 : UInt64(max(0, length))
      sessions[Self.limits.lastIndex { $0 <= time } ?? 0] += 1
      if session.totals.begun == 1 { oneTouch += 1 }
    }
  }

  /// A touchscreen. Unknown members are nil or empty.
  public struct Device: Hashable, Sendable {
    public var key: String
    /// nil if only the store knows the device.
    public var name: String?
    /// The displays that the touchscreen lay on, each with the source of this information, as text:
    /// `HDMI-A-1 (guess)`.
    public var displays: [String]
    /// The counters since the daemon opened the device; nil if only the store knows the device.
    public var tally: Tally?

    public struct Tally: Hashable, Sendable {
      public var touches: UInt64
      public var drops: UInt64
      public var suspectedGhosts: UInt64
      public var echoes: UInt64
      public var unrecorded: UInt64

      public init(
        touches: UInt64, drops: UInt64, suspectedGhosts: UInt64, echoes: UInt64,
        unrecorded: UInt64
      ) {
        self.touches = touches
        self.drops = drops
        self.suspectedGhosts = suspectedGhosts
        self.echoes = echoes
        self.unrecorded = unrecorded
      }
    }

    public init(key: String, name: String?, displays: [String], tally: Tally?) {
      self.key = key
      self.name = name
      self.displays = displays
      self.tally = tally
    }
  }

  /// A screen on one display geometry.
  public struct Screen: Sendable {
    public var key: GridKey
    /// The maps, keyed by `Choice.id` (a `Choice` is one of the sets of sessions that the report
    /// can show). A choice whose sessions did not show the screen has no entry.
    public var maps: [String: Map]
    public var picture: Screenshot?
    /// The reason why the screenshot that the user gave is missing.
    public var remark: String?
    /// The results of its controls over the whole report, one for each layout.
    package var controls: [ScreenControlResults] = []
    /// The controls that are proposed, if none were counted.
    package fileprivate(set) var spots: [ControlProposals.Spot] = []

    public init(
      key: GridKey, maps: [String: Map] = [:], picture: Screenshot? = nil, remark: String? = nil
    ) {
      self.key = key
      self.maps = maps
      self.picture = picture
      self.remark = remark
    }
  }

  /// The layers of one screen, summed over the sessions of one choice.
  public struct Map: Sendable {
    /// The number of sessions that showed the screen.
    public var sessions: UInt64
    /// The number of days on which these sessions began.
    public var days: UInt64
    public var shownMilliseconds: UInt64
    /// The number of touches counted on the screen.
    public var touches: UInt64
    public var masks: [Rectangle]
    public var layers: [Layer: SparseGrid]

    /// Creates a map without layers, with the values of a grid that all layers share.
    public init(_ grid: SummedGrid) {
      sessions = grid.sessions
      days = grid.days
      shownMilliseconds = grid.shownMilliseconds
      touches = grid.touches
      masks = grid.masks
      layers = [:]
    }
  }

  /// Days of the week.
  public struct Weekdays: Sendable {
    /// Ascending; 1 is Monday, 7 is Sunday.
    public var numbers: [Int]
    public var text: String

    public init(numbers: [Int], text: String) {
      self.numbers = numbers
      self.text = text
    }
  }

  /// Hours of the day, from the start of the hour `from` to the start of the hour `until`.
  public struct Hours: Sendable {
    public var from: Int
    public var until: Int
    public var text: String

    public init(from: Int, until: Int, text: String) {
      self.from = from
      self.until = until
      self.text = text
    }
  }

  public var title: String
  public var made: Time
  /// The version of touchgrid, such as `0.1.0`.
  public var version: String
  /// The span that the user asked for, as text.
  public var span: String
  public var tags: [String: String]
  /// The weekdays on which all sessions of the report began; nil if any.
  public var weekdays: Weekdays?
  /// The hours of the day in which all sessions of the report began; nil if any.
  public var hours: Hours?
  /// The time of the last known touch: the last activity in a session, or a later touch that the
  /// daemon reports. nil if there was none.
  public var lastTouch: Time?
  public var days: [Day]
  public var choices: [Choice]
  /// The sessions that have maps of their own, newest first.
  public var sessions: [Session]
  public var screens: [Screen]
  public var devices: [Device]
  /// The number of suspected ghosts while no session was running; nil if unknown.
  public var ghostsOutsideSessions: UInt64?
  /// The changes between screens; nil if unknown.
  package private(set) var flows: FlowReport?
  /// The comparison with the previous period; nil if there is none.
  package var comparison: ComparisonReport?
  /// The state of each touchscreen; nil if it could not be read.
  package var panels: [PanelState]? = []
  /// The durations of sessions; nil if unknown.
  public var lengths: Lengths?
  /// The findings, those first that concern most sessions.
  public private(set) var findings: [Finding] = []
  /// The layers `taps` and `trail` of all sessions of the report.
  private var grids: [Layer: [SummedGrid]] = [:]

  public init(
    title: String, made: Time, version: String, span: String, tags: [String: String] = [:],
    lastTouch: Time? = nil, days: [Day] = [], choices: [Choice] = [], sessions: [Session] = [],
    screens: [Screen] = [], devices: [Device] = [], ghostsOutsideSessions: UInt64? = nil
  ) {
    self.title = title
    self.made = made
    self.version = version
    self.span = span
    self.tags = tags
    self.lastTouch = lastTouch
    self.days = days
    self.choices = choices
    self.sessions = sessions
    self.screens = screens
    self.devices = devices
    self.ghostsOutsideSessions = ghostsOutsideSessions
  }

  /// Adds a grid as a layer to the map of its screen and choice. Adds the screen and the map if
  /// they are missing.
  /// - Parameter choice: the id of the choice that the grid was summed over.
  public mutating func add(_ grid: SummedGrid, choice: String) {
    let index =
      screens.firstIndex { $0.key == grid.key }
      ?? {
        screens.append(Screen(key: grid.key))
        return screens.count - 1
      }()
    var map = screens[index].maps[choice] ?? Map(grid)
    map.layers[grid.layer] = SparseGrid(grid)
    if choice == choices.first?.id ?? choice, [.taps, .trail].contains(grid.layer) {
      grids[grid.layer, default: []].append(grid)
    }
    screens[index].maps[choice] = map
  }

  /// Adds the counts of controls to their screens, and the findings about them and about gestures.
  /// - Parameters:
  ///   - controls: those of all sessions of the report.
  ///   - former: the counts of the previous period; empty if there is none.
  ///   - period: the previous period as text, such as `the 30 days before`.
  ///   - gestures: those of all sessions of the report.
  public mutating func add(
    _ controls: [SummedControls], former: [SummedControls] = [], period: String = "",
    gestures: [SummedGestures] = []
  ) {
    // The layout that most sessions touched comes first.
    let results = controls.map { ScreenControlResults($0) }
      .sorted { $0.summed.sessions > $1.summed.sessions }
    for result in results {
      guard let index = screens.firstIndex(where: { $0.key == result.key }) else { continue }
      screens[index].controls.append(result)
    }
    findings = Finding.all(
      results, former: former.map { ScreenControlResults($0) }, period: period,
      GestureReport(gestures.filter { place in screens.contains { $0.key == place.key } }))
    findings += strays(besides: results)
    rankFindings()
  }

  /// Adds the changes between screens, and the findings about lost sessions and hesitation.
  package mutating func add(_ flows: FlowReport) {
    self.flows = flows
    let losses = Finding.losses(flows).compactMap { name, finding in
      screens.first { $0.key.screen.hasSameBytes(as: name) }.map { finding($0.key) }
    }
    findings += losses
    findings += Finding.hesitations(flows).compactMap { place, finding in
      let screen = screens.first {
        $0.key.screen.hasSameBytes(as: place.screen)
          && $0.key.display.hasSameBytes(as: place.display)
      }
      return screen.map { finding($0.key) }
    }
    rankFindings()
  }

  /// The findings about places without a control where people tap. Screens with the highest share
  /// of such touches come first.
  private func strays(besides results: [ScreenControlResults]) -> [Finding] {
    let found = (grids[.taps] ?? []).compactMap { taps -> (UInt64, Finding)? in
      let sets = results.filter { $0.key == taps.key }.map(\.set)
      guard !sets.isEmpty, let trail = grids[.trail]?.first(where: { $0.key == taps.key }) else {
        return nil
      }
      let spots = StraySpots(taps, trail: trail, besides: sets)
      return Finding.stray(spots, on: taps.key).map { (spots.stray, $0) }
    }
    return found.sorted { $0.0 > $1.0 }.prefix(Finding.limit).map(\.1)
  }

  /// Proposes controls for the screens without any, and says what their description would tell.
  /// The controls and the pictures must have been added.
  /// - Parameters:
  ///   - taps: the layer `taps` of all sessions of the report, as `ControlProposals` needs it.
  ///   - areas: returns the masks and the controls that hold now on a screen.
  package mutating func propose(
    from taps: [SummedGrid], _ areas: (GridKey) -> (masks: [Rectangle], controls: [Rectangle])
  ) {
    for index in screens.indices where screens[index].controls.isEmpty {
      let screen = screens[index]
      let known = areas(screen.key)
      guard let taps = taps.first(where: { $0.key == screen.key }),
        let trail = grids[.trail]?.first(where: { $0.key == screen.key })
      else { continue }
      screens[index].spots =
        ControlProposals(
          taps, trail: trail, picture: try? screen.picture?.pixels(), masks: known.masks,
          besides: known.controls
        ).spots
    }
    let found = screens.filter { !$0.spots.isEmpty }.sorted {
      $0.spots.reduce(0) { $0 &+ $1.touches } > $1.spots.reduce(0) { $0 &+ $1.touches }
    }
    if let finding = Finding.undescribed(found.map { ($0.key, $0.spots.count) }) {
      findings.append(finding)
    }
  }

  /// Sorts the findings by how many sessions they concern; equal ones stay in their order.
  private mutating func rankFindings() {
    findings = findings.enumerated()
      .sorted { ($1.element.sessions, $0.offset) < ($0.element.sessions, $1.offset) }.map(\.element)
  }
}
