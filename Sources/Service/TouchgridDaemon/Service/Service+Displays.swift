internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// The methods for displays and screens.
extension Service {
  func displays() -> [API.Display] {
    capture.placements.sorted { $0.key < $1.key }.map { name, placements in
      display(name, placements)
    }
  }

  private func display(_ name: String, _ placements: [Placement]) -> API.Display {
    API.Display(
      name: name, geometry: API.Geometry(placements[0].geometry),
      geometrySource: placements[0].geometrySource, screen: screen(of: name),
      devices: placements.map(\.device))
  }

  private func screen(of display: String?) -> String {
    // The default value is never used: callers pass only displays that have a device, and those
    // have a screen.
    capture.recorder.screen(of: display) ?? SessionRecorder.initialScreen
  }

  func setDisplay(
    _ change: API.SetDisplay, _: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.SetDisplay.Reply? {
    let name = change.name.normalised
    guard let placement = capture.placements[name]?.first else { throw noDisplay(name) }
    var override = DisplayOverride(scale: change.scale)
    override.size = try size(change.pixelWidth, change.pixelHeight)
    if let degrees = change.rotation {
      guard let rotation = Rotation(rawValue: degrees) else {
        throw invalid("rotation", "\(degrees)", "must be 0, 90, 180 or 270")
      }
      override.rotation = rotation
    }
    if override == DisplayOverride() {
      capture.removeOverride(of: name, at: moment)
    } else {
      guard !capture.assignment.configuration.masksRectangle(on: name) else {
        throw invalid(
          "name", name,
          "must not be a display on which the configuration masks a rectangle: set its size, "
            + "scale and rotation in [[display]], or mask whole screens")
      }
      try check(override, on: placement.geometry)
      try spend("displays changed in a minute", &turns, at: moment)
      capture.apply(override, to: name, at: moment)
    }
    guard let placements = capture.placements[name] else { throw noDisplay(name) }
    let display = display(name, placements)
    log.info(
      .client, kind: "display",
      "display \(name.printable()) is now \(display.geometry.width) x "
        + "\(display.geometry.height) points, turned by \(display.geometry.rotation) degrees")
    return API.SetDisplay.Reply(display: display)
  }

  func setDisplayMode(
    _ change: API.SetDisplayMode, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.NoReply? {
    let name = try name(change.name, "name")
    let client = ClientID(call.id.connection.token)
    let mode = try size(change.pixelWidth, change.pixelHeight)
    if let mode { try check(mode, of: name) }
    guard capture.assignment.modes.size(of: name, by: client) != mode else { return API.NoReply() }
    // The limit applies per user, so that no user can prevent the reports of others.
    do throws(VarlinkError) {
      try spend(
        "modes reported in a minute", &modeBudgets[call.peer.user, default: CallRateLimit()],
        at: moment)
    } catch {
      capture.noteRefusedMode(mode, of: name, at: moment)
      throw error
    }
    guard capture.setMode(mode, of: name, by: client, at: moment) else {
      capture.noteRefusedMode(mode, of: name, at: moment)
      throw API.LimitReached(
        "displays with a mode", limit: ReportedModes.limit,
        hint: "withdraw the size of another display first (SetDisplayMode with both sizes null)",
        words: "displays whose size one connection has reported"
      ).varlinkError
    }
    let display = "display \(name.printable())"
    log.info(
      .client, kind: "mode",
      mode.map { "a client reports that \(display) has \($0.width) x \($0.height) pixels" }
        ?? "a client has withdrawn its report on the size of \(display)")
    return API.NoReply()
  }

  /// Returns the size from two parameters; nil if both are null. Throws if only one is null.
  private func size(
    _ width: Int?, _ height: Int?
  ) throws(VarlinkError) -> Configuration.Display.Size? {
    switch (width, height) {
    case (let width?, let height?): Configuration.Display.Size(width: width, height: height)
    case (nil, nil): nil
    case (let width?, nil):
      throw invalid("pixelHeight", "null", "must be given with pixelWidth \(width)")
    case (nil, let height?):
      throw invalid("pixelWidth", "null", "must be given with pixelHeight \(height)")
    }
  }

  /// Throws an error that names the invalid value if the display cannot have a mode of this size.
  private func check(
    _ mode: Configuration.Display.Size, of display: String
  ) throws(VarlinkError) {
    try check(mode)
    let configuration = capture.assignment.configuration
    let geometry = DisplayGeometry(
      pixelWidth: mode.width, pixelHeight: mode.height,
      scale: configuration.display(named: display)?.scale ?? 1,
      blockSize: configuration.grid.blockSize)
    guard geometry == nil else { return }
    throw invalid(
      "pixelWidth", "\(mode.width)",
      "or pixelHeight must be smaller: a display may have at most \(DisplayGeometry.blockLimit) "
        + "blocks of \(configuration.grid.blockSize) x \(configuration.grid.blockSize) points"
    )
  }

  private func check(_ size: Configuration.Display.Size) throws(VarlinkError) {
    let range = 1...DisplayGeometry.pixelLimit
    guard range.contains(size.width) else {
      throw invalid("pixelWidth", "\(size.width)", "must be 1 to \(range.upperBound)")
    }
    guard range.contains(size.height) else {
      throw invalid("pixelHeight", "\(size.height)", "must be 1 to \(range.upperBound)")
    }
  }

  /// Throws an error that names the invalid value if the override cannot be applied.
  private func check(
    _ override: DisplayOverride, on geometry: DisplayGeometry
  ) throws(VarlinkError) {
    guard override.applied(to: geometry) == nil else { return }
    if let size = override.size { try check(size) }
    if let scale = override.scale, !(0.25...16).contains(scale) {
      throw invalid("scale", "\(scale)", "must be 0.25 to 16")
    }
    throw invalid(
      "scale", "\(override.scale ?? geometry.scale)",
      "must be greater: a display may have at most \(DisplayGeometry.blockLimit) blocks of "
        + "\(geometry.blockSize) x \(geometry.blockSize) points")
  }

  func getScreen(
    _ wish: API.GetScreen, _: Call, _: Moment
  ) throws(VarlinkError) -> API.GetScreen.Reply? {
    let display = wish.display?.normalised
    if let display, capture.placements[display] == nil { throw noDisplay(display) }
    return API.GetScreen.Reply(
      screen: screen(of: display), revision: capture.recorder.screenRevision(of: display))
  }

  /// Whether the call reports a screen change that happened after this round of the event loop
  /// started. Such a call waits for the next round, because the daemon must first read the touches
  /// up to that time. False for a time that is still in the future.
  private func isEarly(_ change: API.SetScreen, at moment: Moment) -> Bool {
    guard let changed = change.changedAtUs else { return false }
    return changed > moment.monotonic.microseconds
      && changed <= Moment.now.monotonic.microseconds
  }

  /// The greatest lead of a client's time over `CLOCK_MONOTONIC`, in µs. A time from another clock
  /// usually differs more.
  private static let ahead: Int64 = 1_000_000

  func setScreen(
    _ change: API.SetScreen, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.NoReply? {
    if isEarly(change, at: moment) {
      early.append((change, call))
      return nil
    }
    return try name(change, by: call, at: moment)
  }

  func name(
    _ change: API.SetScreen, by call: Call, at moment: Moment
  ) throws(VarlinkError) -> API.NoReply {
    let name = try name(change.name, "name")
    let display = change.display?.normalised
    if let changed = change.changedAtUs, changed > moment.monotonic.microseconds + Self.ahead {
      throw invalid(
        "changedAtUs", "\(changed)",
        "must not be in the future: CLOCK_MONOTONIC is \(moment.monotonic.microseconds) µs")
    }
    let (time, namer) = (
      change.changedAtUs.map(Timestamp.init(microseconds:)), ClientID(call.id.connection.token)
    )
    if let display, capture.placements[display] == nil {
      let display = try self.name(display, "display")
      capture.recorder.setAbsentScreen(name, of: display, changed: time, by: namer, at: moment)
      throw noDisplay(display)
    }
    do throws(SessionRecorder.ScreenError) {
      try capture.recorder.setScreen(name, display: display, changed: time, by: namer, at: moment)
    } catch {
      switch error {
      case .tooManyScreens(let limit):
        throw API.LimitReached(
          "screens", limit: limit, hint: "end the session, or use the same name for several states"
        ).varlinkError
      case .tooLate(let microseconds):
        throw API.TooLate(lateUs: microseconds, limitUs: capture.recorder.rules.lateNames)
          .varlinkError
      }
    }
    return API.NoReply()
  }

  // MARK: Values

  func noDisplay(_ name: String) -> VarlinkError {
    API.NoSuchDisplay(name, known: capture.placements.keys.sorted()).varlinkError
  }

  func invalid(_ parameter: String, _ value: String, _ rule: String) -> VarlinkError {
    API.InvalidValue(parameter, value, rule).varlinkError
  }

  /// Returns the name in its stored form, normalised. Throws if it is empty, blank, too long or not
  /// printable.
  func name(_ text: String, _ parameter: String) throws(VarlinkError) -> String {
    guard let name = text.asName else {
      throw invalid(parameter, text, String.nameRule)
    }
    return name
  }
}
