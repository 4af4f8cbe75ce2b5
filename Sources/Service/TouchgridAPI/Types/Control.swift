package import TouchModel

extension API {
  /// A named rectangle of a screen that people touch, such as a button.
  public struct Control: Codable, Hashable, Sendable {
    /// The name, unique on its screen. It must not contain what people enter.
    public var name: String
    /// In points of the display. Its edges belong to it.
    public var rectangle: Rectangle
    /// Whether rage taps are counted; nil for true. False for controls that people tap quickly on
    /// purpose.
    public var rage: Bool?

    /// Creates a value with these members.
    public init(name: String, rectangle: Rectangle, rage: Bool? = nil) {
      self.name = name
      self.rectangle = rectangle
      self.rage = rage
    }

    /// Creates the value from the model's control.
    package init(_ control: TouchModel.Control) {
      self.init(
        name: control.name, rectangle: Rectangle(control.rectangle),
        rage: control.countsRage ? nil : false)
    }
  }

  /// The controls of a screen.
  public struct ScreenControls: Codable, Hashable, Sendable {
    /// The name of the screen.
    public var screen: String
    /// The name of the display; nil for every display without a list of its own.
    public var display: String?
    /// From back to front: where controls overlap, a touch hits the last one.
    public var controls: [Control]

    /// Creates a value with these members.
    public init(screen: String, display: String? = nil, controls: [Control]) {
      self.screen = screen
      self.display = display
      self.controls = controls
    }

    /// Creates the value from the model's list.
    package init(_ list: TouchModel.ScreenControls) {
      self.init(
        screen: list.screen, display: list.display, controls: list.controls.map(Control.init))
    }
  }

  /// Where touches lay around the centre of a control, in whole points.
  public struct Scatter: Codable, Hashable, Sendable {
    /// The number of touches.
    public var count: Int64
    /// The sums of their distances from the centre.
    public var x: Int64
    public var y: Int64
    /// The sums of the squares and products of these distances.
    public var xx: Int64
    public var yy: Int64
    public var xy: Int64

    /// Creates the value from the model's.
    package init(_ scatter: ControlSums.Scatter) {
      (count, x, y) = (scatter.count, scatter.x, scatter.y)
      (xx, yy, xy) = (scatter.xx, scatter.yy, scatter.xy)
    }

    /// The model's scatter.
    package var scatter: ControlSums.Scatter {
      var scatter = ControlSums.Scatter()
      (scatter.count, scatter.x, scatter.y) = (count, x, y)
      (scatter.xx, scatter.yy, scatter.xy) = (xx, yy, xy)
      return scatter
    }
  }

  /// What was counted for one control, added up over sessions.
  public struct ControlCounts: Codable, Hashable, Sendable {
    /// The control.
    public var control: Control
    /// The touches in the control, unless another control lay above it there.
    public var hits: Scatter
    /// The touches in no control to which this one was the nearest, at most 5 mm away.
    public var nearMisses: Scatter
    /// The touches in no control to which this one was the nearest: for the left, right, top and
    /// bottom side the numbers in the rings up to 1, 2, 3, 5 and 10 mm from it; 20 numbers.
    public var beside: [Int64]
    /// The near misses whose next touch on the screen, within 3 s, hit the control.
    public var retried: Int64
    /// The runs of three or more taps within 1 s, the taps in them, and the sessions with one.
    public var rageRuns: Int64
    public var rageTaps: Int64
    public var rageSessions: Int64
    /// The hits by the time from the end of the touch until the screen changed, in 10 bins: up to
    /// 16 ms, each next one up to twice as long, the ninth up to 4096 ms, the last for no change.
    /// Hits that nobody observed are missing.
    public var responses: [Int64]
    /// The sessions that hit the control.
    public var sessions: Int64

    /// Creates the value from the model's sums.
    package init(_ control: TouchModel.Control, _ sums: ControlSums) {
      self.control = Control(control)
      (hits, nearMisses) = (Scatter(sums.hits), Scatter(sums.nearMisses))
      beside = Array(sums.beside.joined())
      retried = sums.retried
      (rageRuns, rageTaps, rageSessions) = (sums.rageRuns, sums.rageTaps, sums.rageSessions)
      (responses, sessions) = (sums.responses, sums.sessions)
    }

    /// The model's sums; nil if a list has another length.
    package var sums: ControlSums? {
      let (sides, rings) = (ControlSums.Side.allCases.count, ControlSums.rings.count)
      guard beside.count == sides * rings, responses.count == ControlSums.responseBins else {
        return nil
      }
      var sums = ControlSums()
      (sums.hits, sums.nearMisses) = (hits.scatter, nearMisses.scatter)
      sums.beside = (0..<sides).map { Array(beside[($0 * rings)..<(($0 + 1) * rings)]) }
      sums.retried = retried
      (sums.rageRuns, sums.rageTaps, sums.rageSessions) = (rageRuns, rageTaps, rageSessions)
      (sums.responses, sums.sessions) = (responses, sessions)
      return sums
    }
  }

  /// The counts of the controls of one screen on one display geometry, as they lay at one time.
  public struct ScreenControlCounts: Codable, Hashable, Sendable {
    /// The name of the screen.
    public var screen: String
    /// The name of the display.
    public var display: String
    /// The display's geometry.
    public var geometry: Geometry
    /// The size of a point, in mm.
    public var pointMm: Double
    /// The height of the lower edge of the display above the floor now, in mm; nil if it is unknown.
    public var bottomMm: Double?
    /// The sessions in which the screen had these controls and was touched.
    public var sessions: UInt64
    /// The sessions that showed the screen, with these controls or not.
    public var screenSessions: UInt64
    /// The touches counted on the screen in these sessions.
    public var screenTouches: UInt64
    /// The rectangles that were masked in at least one of these sessions.
    public var masks: [Rectangle]
    /// The controls, from back to front.
    public var controls: [ControlCounts]

    /// Creates the value from the model's.
    package init(_ summed: SummedControls) {
      let (key, set) = (summed.counts.key, summed.counts.set)
      (screen, display, geometry) = (key.screen, key.display, Geometry(key.geometry))
      (pointMm, bottomMm) = (set.pointSize, summed.bottom)
      (sessions, screenSessions) = (summed.sessions, summed.screenSessions)
      screenTouches = summed.screenTouches
      masks = summed.masks.map { Rectangle($0) }
      controls = set.controls.indices.map { ControlCounts(set.controls[$0], summed.counts[$0]) }
    }

    /// The model's counts; nil if they cannot be, or contradict each other.
    package var summed: SummedControls? {
      let list = controls.compactMap { TouchModel.Control($0.control) }
      let sums = controls.compactMap(\.sums)
      let masks = masks.compactMap(\.rectangle)
      guard list.count == controls.count, sums.count == controls.count,
        masks.count == self.masks.count, bottomMm.map({ (0...10_000).contains($0) }) ?? true,
        let geometry = geometry.displayGeometry,
        let set = ControlSet(list, pointSize: pointMm)
      else { return nil }
      let key = GridKey(display: display, screen: screen, geometry: geometry)
      let counts = TouchModel.ControlCounts(
        key: key, set: set, numbers: sums.flatMap(\.numbers))
      guard counts.isPlausible else { return nil }
      var summed = SummedControls(
        counts: counts, sessions: sessions, screenSessions: screenSessions,
        screenTouches: screenTouches, masks: masks)
      summed.bottom = bottomMm
      return summed
    }
  }
}

extension TouchModel.Control {
  /// - Returns: nil if the rectangle is invalid.
  package init?(_ control: API.Control) {
    guard let rectangle = control.rectangle.rectangle else { return nil }
    self.init(name: control.name, rectangle: rectangle, countsRage: control.rage ?? true)
  }
}
