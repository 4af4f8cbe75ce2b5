internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

extension Service {
  /// The maximum number of controls that clients may set, and of their lists.
  private static let controlLimit = 4096
  private static let listLimit = 256

  /// Applies the controls of the configuration and of clients.
  /// - Parameter moment: the time at which they take effect; nil: as if they had always been there.
  func applyControls(at moment: Moment?) {
    let lists = ControlLists(configured: configuredControls, added: addedControls)
    if let place = lists.conflicts.first {
      log.warning(
        .daemon, kind: "controls",
        "controls of clients are ignored on screen \(place.screen.text.printable()): the configuration "
          + "has the same names, or there are more than \(ScreenControls.limit)")
    }
    capture.recorder.setControls(lists.joined, at: moment)
  }

  func setControls(
    _ wish: API.SetControls, _: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.SetControls.Reply? {
    let screen = try name(wish.screen, "screen")
    let display = try wish.display.map { text throws(VarlinkError) in try name(text, "display") }
    var controls: [Control] = []
    var names: Set<ExactName> = []
    for (index, wish) in wish.controls.enumerated() {
      let control = try checked(wish, "controls[\(index)]")
      guard names.insert(ExactName(control.name)).inserted else {
        throw invalid("controls[\(index)].name", control.name, "must be unique on its screen")
      }
      controls.append(control)
    }
    let place = ScreenControls.Place(screen, display)
    let new = ScreenControls(screen: screen, display: display, controls: controls)
    let below = ControlLists(configured: configuredControls, added: []).configured(at: place)
    guard below.count + controls.count <= ScreenControls.limit else {
      throw API.LimitReached(
        "controls of a screen", limit: ScreenControls.limit,
        hint: "leave out those that do not matter"
      ).varlinkError
    }
    if let known = below.first(where: { names.contains(ExactName($0.name)) }) {
      throw invalid(
        "controls", known.name, "must not repeat the name of a control in the configuration")
    }
    var added = addedControls.filter { $0.place != place }
    if !controls.isEmpty { added.append(new) }
    guard added.reduce(0, { $0 + $1.controls.count }) <= Self.controlLimit else {
      throw API.LimitReached(
        "controls of clients", limit: Self.controlLimit, hint: "remove those of other screens"
      ).varlinkError
    }
    guard added.count <= Self.listLimit else {
      throw API.LimitReached(
        "screens with controls of clients", limit: Self.listLimit, hint: "remove those of others"
      ).varlinkError
    }
    let isCounted = layouts.admit(new, at: moment.boottime)
    // Without this, the uncounted layout would be compared with the touches for the previous one.
    if !isCounted { added.removeAll { $0.place == place } }
    addedControls = added
    applyControls(at: moment)
    return API.SetControls.Reply(isCounted: isCounted)
  }

  /// The oldest end of a touch whose response is accepted, and the greatest lead of a client's
  /// clock, in µs. The lead is needed because this method gets the time before the call was read.
  private static let oldestTouch = ResponseMatcher.memory
  private static let ahead: Int64 = 1_000_000

  func addResponse(
    _ wish: API.AddResponse, _: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.NoReply? {
    let limit = API.AddResponse.limitMs
    if let time = wish.responseMs, !(0...limit).contains(time) {
      throw invalid(
        "responseMs", "\(time)", "must be 0 to \(limit), or null if nothing changed until then")
    }
    let now = moment.monotonic
    let ended =
      wish.endedAtUs.map { Timestamp(microseconds: $0) } ?? now + -1000 * (wish.responseMs ?? limit)
    let changed = ended + 1000 * (wish.responseMs ?? 0)
    guard changed <= now + Self.ahead, ended >= now + -Self.oldestTouch else {
      // The error omits the time, because clients write errors to logs.
      throw invalid(
        "endedAtUs", ended > now ? "later" : "earlier",
        "must be the end of a touch in the last \(Self.oldestTouch / 1_000_000) s, on "
          + "CLOCK_MONOTONIC, and responseMs must be over")
    }
    let response = TouchResponse(
      screen: try name(wish.screen, "screen"),
      display: try wish.display.map { text throws(VarlinkError) in try name(text, "display") },
      control: try name(wish.control, "control"), ended: ended, milliseconds: wish.responseMs)
    capture.recorder.add(response, at: moment)
    return API.NoReply()
  }

  private func checked(_ wish: API.Control, _ place: String) throws(VarlinkError) -> Control {
    let name = try name(wish.name, "\(place).name")
    guard let rectangle = wish.rectangle.rectangle, rectangle.isOnSomeDisplay else {
      let given = wish.rectangle
      throw invalid(
        "\(place).rectangle", "\(given.x),\(given.y),\(given.width),\(given.height)",
        "must have a width and a height above 0, and lie on a display")
    }
    return Control(name: name, rectangle: rectangle, countsRage: wish.rage ?? true)
  }
}

/// Joins the controls of the configuration and of clients.
struct ControlLists {
  typealias Place = ScreenControls.Place

  private let configured: [Place: ScreenControls]
  /// One list for each screen and display. Those of clients lie above those of the configuration.
  private(set) var joined: [ScreenControls]
  /// The places at which lists of clients are left out, because a list of the configuration has one
  /// of their names, or because there would be too many controls.
  private(set) var conflicts: [Place] = []

  init(configured lists: [ScreenControls], added: [ScreenControls]) {
    configured = Dictionary(lists.map { ($0.place, $0) }, uniquingKeysWith: { $1 })
    joined = []
    var all = configured
    for list in added {
      let below = configured(at: list.place)
      let names = Set(below.map { ExactName($0.name) })
      guard below.count + list.controls.count <= ScreenControls.limit,
        !list.controls.contains(where: { names.contains(ExactName($0.name)) })
      else {
        conflicts.append(list.place)
        continue
      }
      var list = list
      list.controls = below + list.controls
      all[list.place] = list
    }
    joined = Array(all.values)
  }

  /// Returns the controls of the configuration that lie below those of a client: those of the
  /// display, otherwise those of all displays.
  func configured(at place: Place) -> [Control] {
    var general = place
    general.display = nil
    return (configured[place] ?? configured[general])?.controls ?? []
  }
}

/// Limits the number of layouts that are counted, because the counts of each are kept permanently.
struct LayoutLimit {
  /// The maximum number of different layouts in a day: of a screen on a display, and of all
  /// screens.
  static let ofScreen = 64
  private static let ofAll = 1024
  private static let day: Int64 = 86_400_000_000

  private var seen: [ScreenControls.Place: Set<Int>] = [:]
  private var count = 0
  private var since = Timestamp.zero

  /// Records a layout.
  /// - Returns: false if the layout is new and exceeds a limit.
  mutating func admit(_ list: ScreenControls, at time: Timestamp) -> Bool {
    if time - since >= Self.day {
      self = LayoutLimit()
      since = time
    }
    guard !list.controls.isEmpty else { return true }
    var hasher = Hasher()
    hasher.combine(list.controls)
    let (hash, place) = (hasher.finalize(), list.place)
    if seen[place]?.contains(hash) == true { return true }
    guard count < Self.ofAll, seen[place]?.count ?? 0 < Self.ofScreen else { return false }
    seen[place, default: []].insert(hash)
    count += 1
    return true
  }
}

extension Rectangle {
  /// The longest possible side of a display, in points: the maximum number of pixels at scale 0.25.
  static let maxSide = Double(DisplayGeometry.pixelLimit) * 4

  /// Whether some of the rectangle may lie on a display, and none of it unreasonably far away.
  var isOnSomeDisplay: Bool {
    x + width > 0 && y + height > 0 && x < Self.maxSide && y < Self.maxSide
      && x >= -Self.maxSide && y >= -Self.maxSide && width <= 2 * Self.maxSide
      && height <= 2 * Self.maxSide
  }
}
