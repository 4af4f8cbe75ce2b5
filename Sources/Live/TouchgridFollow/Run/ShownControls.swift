internal import Text
internal import TouchModel
internal import TouchgridAPI

/// Assigns observed controls to the screens that are shown.
struct ShownControls {
  /// The controls of a screen, for the daemon.
  struct List: Equatable {
    /// nil for the only display.
    var display: String?
    var screen: String
    var observed: ObservedControls
  }

  /// The controls that each source observed last, by the index of the source and the display.
  private var seen: [Int: [String?: ObservedControls]] = [:]

  mutating func update(_ controls: ObservedControls, from source: Int) {
    seen[source, default: [:]][controls.display] = controls
  }

  /// Removes the controls of a source on a display.
  mutating func clear(source: Int, display: String?) { seen[source]?[display]?.items = [] }

  mutating func forget(source: Int, display: String?) { seen[source]?[display] = nil }

  mutating func forget(source: Int) { (seen[source], leaving[source]) = (nil, nil) }

  /// Returns the list of a source and display.
  /// - Parameter shown: the last change that was sent to the daemon for the display.
  /// - Returns: nil if the screen is masked, or if the controls are those of another page.
  func list(
    of source: Int, on display: String?, shown: ShownScreens.Change?
  ) -> List? {
    guard let observed = seen[source]?[display], let shown, !shown.isMasked,
      let sighting = shown.sighting
    else { return nil }
    if let url = observed.url {
      guard sighting.url == url else { return nil }
    } else if observed.time < shown.time {
      // The window may have shown another screen when the controls were read.
      return nil
    }
    return List(display: display, screen: shown.name, observed: observed)
  }

  /// The last shown lists, the newest at the end. A response may arrive when its page already looks
  /// different.
  private var recent: [List] = []
  private static let recentLimit = 16

  mutating func remember(_ list: List) {
    guard recent.last(where: { $0.display == list.display }) != list else { return }
    recent = recent.suffix(Self.recentLimit - 1) + [list]
  }

  /// The responses that wait for the next page, by the index of the source.
  private var leaving: [Int: [ObservedResponse]] = [:]
  private static let leavingLimit = 8

  /// Accepts a response.
  /// - Returns: the response; nil if it waits for the next page.
  mutating func settle(_ response: ObservedResponse, from source: Int) -> ObservedResponse? {
    var waiting = leaving[source, default: []]
    waiting.removeAll { $0.url == response.url && $0.item == response.item }
    if response.leaves { waiting.append(response) }
    leaving[source] = waiting.suffix(Self.leavingLimit)
    return response.leaves ? nil : response
  }

  /// Returns the responses that waited for the next page of a source. If the page came too late for
  /// a response, the cause is unknown, so they are dropped.
  /// - Parameter time: the time at which the page was shown on `CLOCK_MONOTONIC`, in µs.
  mutating func arrive(from source: Int, at time: Int64) -> [ObservedResponse] {
    guard let waiting = leaving.removeValue(forKey: source) else { return [] }
    return waiting.compactMap { response in
      var response = response
      let milliseconds = max(0, time - response.ended) / 1000
      response.milliseconds = milliseconds
      return milliseconds <= API.AddResponse.limitMs ? response : nil
    }
  }

  /// Returns the call that reports a response.
  /// - Parameter shown: the last change that was sent to the daemon for the display.
  /// - Returns: nil if the screen is masked now, or if the control was not shown.
  mutating func call(
    _ response: ObservedResponse, shown: ShownScreens.Change?
  ) -> API.AddResponse? {
    if shown?.isMasked != false {
      // A page may have been shown briefly before its title made a mask apply.
      recent = recent.filter { $0.display != response.display }
      return nil
    }
    let lists = recent.filter {
      $0.display == response.display && $0.observed.url == response.url
        && $0.observed.items.contains(response.item)
    }
    let list = lists.last { $0.observed.time <= response.ended } ?? lists.first
    guard let list, let place = list.observed.items.lastIndex(of: response.item),
      let control = ControlNames.controls(Array(list.observed.items[...place]), scaledBy: 1).last
    else { return nil }
    return API.AddResponse(
      screen: list.screen, display: list.display, control: control.name,
      endedAtUs: response.ended, responseMs: response.milliseconds)
  }

  /// The sources and displays that have controls.
  var places: [(source: Int, display: String?)] {
    seen.sorted { $0.key < $1.key }.flatMap { source, displays in
      displays.keys.map { (source, $0) }
    }
  }
}

extension ShownControls.List {
  /// The allowed relative difference of lengths: a display of 1366 points may have 1366.5.
  private static let tolerance = 0.005

  /// The reason why controls cannot be placed on a display.
  enum Refusal: Error, Equatable {
    case noDisplay(String?)
    case severalDisplays
    case otherShape(String, page: String, display: String)
  }

  /// Returns the call that sets the controls, in points of the display.
  /// - Parameter displays: all displays of the daemon.
  func call(_ displays: [API.Display]) throws(Refusal) -> API.SetControls {
    let found: API.Display
    if let display {
      guard let named = displays.first(where: { ExactName($0.name) == ExactName(display) }) else {
        throw .noDisplay(display)
      }
      found = named
    } else {
      guard displays.count < 2 else { throw .severalDisplays }
      guard let only = displays.first else { throw .noDisplay(nil) }
      found = only
    }
    guard let geometry = found.geometry.displayGeometry else { throw .noDisplay(found.name) }
    let (across, down) = (geometry.width / observed.width, geometry.height / observed.height)
    guard abs(across / down - 1) <= Self.tolerance else {
      func size(_ width: Double, _ height: Double) -> String {
        "\(Int(width.rounded())) x \(Int(height.rounded()))"
      }
      throw .otherShape(
        found.name, page: size(observed.width, observed.height),
        display: size(geometry.width, geometry.height))
    }
    let controls = ControlNames.controls(observed.items, scaledBy: across)
    return API.SetControls(
      screen: screen, display: display, controls: controls.map { API.Control($0) })
  }
}

extension ShownControls.List.Refusal: CustomStringConvertible {
  var description: String {
    switch self {
    case .noDisplay(let name?): "no touchscreen lies on display \(name)"
    case .noDisplay(nil): "no touchscreen lies on any display"
    case .severalDisplays:
      "there are several displays: say in [[source]] which one it shows (display = \"...\")"
    case .otherShape(let display, let page, let size):
      "the picture of the page or window is \(page), but display \(display) is \(size): give the "
        + "display's size in [[display]] of touchgridd.toml"
    }
  }
}
