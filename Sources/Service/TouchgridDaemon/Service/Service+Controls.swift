internal import Storage
internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

extension Service {
  /// The maximum number of controls that clients may set, on all screens together.
  private static let controlLimit = 4096

  /// Applies the controls of the configuration and of clients.
  /// - Parameter moment: when they take effect; nil: as if they had always been there.
  func applyControls(at moment: Moment?) {
    capture.recorder.setControls(
      ScreenControls.joined(configuredControls, addedControls), at: moment)
  }

  func set(
    _ wish: API.SetControls, at moment: Moment
  ) throws(VarlinkError) -> API.SetControls.Reply {
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
    var added = addedControls.filter { !$0.isList(of: screen, display) }
    if !controls.isEmpty {
      added.append(ScreenControls(screen: screen, display: display, controls: controls))
    }
    for list in ScreenControls.joined(configuredControls, added) where list.screen == screen {
      guard list.controls.count <= ScreenControls.limit else {
        throw API.LimitReached(
          "controls of a screen", limit: ScreenControls.limit,
          hint: "leave out those that do not matter"
        ).varlinkError
      }
      guard Set(list.controls.map { ExactName($0.name) }).count == list.controls.count else {
        throw invalid(
          "controls", screen, "must not repeat the name of a control in the configuration")
      }
    }
    guard added.reduce(0, { $0 + $1.controls.count }) <= Self.controlLimit else {
      throw API.LimitReached(
        "controls of clients", limit: Self.controlLimit, hint: "remove those of other screens"
      ).varlinkError
    }
    addedControls = added
    applyControls(at: moment)
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

  func getControlCounts(_ call: Call) throws(VarlinkError) {
    let wish = try call.parameters(API.GetControlCounts.self)
    let wantsMore = call.wantsMore
    let query = GridQuery(
      try sessions(wish.session, day: wish.day, wish.span, wish.tags), layer: .taps,
      screen: wish.screen, display: wish.display
    ).normalised
    try answerFromStore(call) { store throws(VarlinkError) in
      let summed = try Self.asking { () throws(StoreError) in try store.controls(of: query) }
      if case .one(let session) = query.sessions, summed.isEmpty,
        try !Self.asking({ () throws(StoreError) in try store.hasSession(session) })
      {
        throw API.NoSuchSession(session).varlinkError
      }
      return try Self.replies(
        "screens", summed.map { API.ScreenControlCounts($0) }, wantsMore, store, perReply: 1
      ) { API.GetControlCounts.Reply(screens: $0) }
    }
  }
}

extension ScreenControls {
  fileprivate func isList(of screen: String, _ display: String?) -> Bool {
    self.screen.hasSameBytes(as: screen)
      && (self.display.map { ExactName($0) } == display.map { ExactName($0) })
  }

  /// Joins the lists of the configuration and of clients: one list for each screen and display, in
  /// which those of clients lie above.
  static func joined(
    _ configured: [ScreenControls], _ added: [ScreenControls]
  ) -> [ScreenControls] {
    var lists = configured
    for list in added {
      if let index = lists.firstIndex(where: { $0.isList(of: list.screen, list.display) }) {
        lists[index].controls += list.controls
      } else {
        lists.append(list)
      }
    }
    return lists
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
