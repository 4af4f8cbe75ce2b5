internal import Text
public import TouchInput
public import TouchModel

/// Assigns panels to displays. It uses, in this order: a device rule, the only `[[display]]`, the
/// panel's `WL_OUTPUT`, the only connected display, and a display guessed from the panel's axes.
public struct DisplayAssignment: Sendable {
  /// After a change, the caller must assign the attached panels again.
  public var configuration: Configuration
  /// The overrides that clients have set, by display name.
  var overrides: [String: DisplayOverride] = [:]
  /// The modes in which compositors drive displays, as reported by clients.
  var modes = ReportedModes()
  /// The displays for which a client has reported a mode other than the kernel's preferred one,
  /// since the configuration was read. On these displays, the place of a rectangle that the
  /// configuration masks is uncertain, even if a client reports another mode later.
  private(set) var contradicted: Set<String> = []
  /// Whether monitors have changed within the last seconds. The kernel may then still list the
  /// modes of the previous monitors.
  var isSettling = false

  public init(configuration: Configuration) { self.configuration = configuration }

  /// Replaces the configuration. The caller must assign the attached panels again.
  mutating func setConfiguration(_ new: Configuration) {
    configuration = new
    contradicted = []
  }

  /// Adds to `contradicted` every display for which a connected client reports a mode other than
  /// the kernel's preferred one. Does nothing while `isSettling`.
  /// - Parameters:
  ///   - displays: the displays that attached panels lie on.
  ///   - connectors: the connected displays.
  mutating func compareModes(on displays: some Sequence<String>, _ connectors: [DRMConnector]) {
    // After a change of monitors, the client reports the compositor's new mode a moment later than
    // the kernel.
    guard !isSettling else { return }
    for display in Set(displays).union(connectors.map(\.name)) {
      guard let preferred = connectors.first(where: { $0.name == display })?.size else { continue }
      if modes.sizes(of: display).contains(where: { $0 != preferred }) {
        contradicted.insert(display)
      }
    }
  }

  /// Returns whether the panel may now lie on another monitor: its display is not connected, but
  /// another one is, and neither a rule nor `WL_OUTPUT` names the panel's display. Always false if
  /// the configuration masks no rectangle of the display or sets its size, and if the display is a
  /// guess already.
  func mayHaveMoved(
    _ placement: Placement, alternatives: PlacementUncertainty.Alternatives,
    connectors: [DRMConnector]
  ) -> Bool {
    guard placement.displaySource != .guess, placement.geometrySource != .configuration,
      alternatives != .none, configuration.masksRectangle(on: placement.display)
    else { return false }
    return !connectors.isEmpty && !connectors.contains { $0.name == placement.display }
  }

  /// Records that a client's report on a display was refused, because the client reports too many.
  /// The mode may contradict the kernel's, so it counts as a contradiction.
  /// - Returns: whether that is new, and concerns a rectangle that the configuration masks.
  mutating func doubt(_ display: String) -> Bool {
    configuration.masksRectangle(on: display) && contradicted.insert(display).inserted
  }

  /// The certainty of a display's size.
  enum SizeKnowledge {
    case known
    /// The configuration masks a rectangle of the display, and its size is uncertain: the kernel
    /// does not confirm a mode that a client reports or has reported, or monitors have just
    /// changed.
    case contradicted
    /// The size is a guess from the touchscreen's axes: the monitor is connected, but the kernel
    /// has not listed its modes yet.
    case expected
    /// The size is a guess from the touchscreen's axes.
    case unknown
  }

  /// A panel's placement, and warnings about settings that could not be applied.
  public struct Result: Sendable {
    public var placement: Placement
    /// The displays that the panel may lie on instead.
    public var alternatives: PlacementUncertainty.Alternatives
    var sizeKnowledge: SizeKnowledge
    /// Messages for the administrator.
    public var warnings: [String]
  }

  /// Returns the placement of a panel; nil if its geometry cannot be determined.
  /// - Parameters:
  ///   - connectors: the connected displays.
  ///   - others: the placements of other panels. If one of them lies on the same display and its
  ///     geometry is not a guess, that geometry is used instead of a guess.
  public func place(
    _ panel: PanelIdentity, connectors: [DRMConnector], beside others: [Placement] = []
  ) -> Result? {
    var warnings: [String] = []
    let rule = configuration.rule(key: panel.key, name: panel.name)
    let (display, displaySource) = display(of: panel, rule: rule, connectors: connectors)
    let size = size(
      of: display, source: displaySource, panel: panel, connectors: connectors, others: others,
      warnings: &warnings)
    guard let (geometry, source, knowledge) = size else { return nil }

    var matrix = CalibrationMatrix.identity
    var matrixSource = Source.kernel
    if let configured = rule?.calibration {
      (matrix, matrixSource) = (configured, .configuration)
    } else if let text = panel.calibration {
      if let parsed = CalibrationMatrix(text) {
        (matrix, matrixSource) = (parsed, .udev)
      } else {
        warnings.append(
          "LIBINPUT_CALIBRATION_MATRIX is ignored: \"\(text.printable())\" is not six numbers")
      }
    }
    let axes = panel.contactProtocol
    let x = Placement.Range(minimum: axes.x.minimum, maximum: axes.x.maximum)
    let y = Placement.Range(minimum: axes.y.minimum, maximum: axes.y.maximum)
    let isOverridden = rule?.x != nil || rule?.y != nil
    return Result(
      placement: Placement(
        device: panel.key, x: rule?.x ?? x, y: rule?.y ?? y,
        rangeSource: isOverridden ? .configuration : .kernel, matrix: matrix,
        matrixSource: matrixSource, display: display, geometry: geometry,
        displaySource: displaySource, geometrySource: source),
      alternatives: alternatives(
        to: display, displaySource, panel: panel, rule: rule, connectors: connectors),
      sizeKnowledge: knowledge, warnings: warnings)
  }

  /// Returns the displays that the panel may lie on instead of `display`. None, if a rule or
  /// `WL_OUTPUT` names `display`. Every display that is not connected, if `display` was chosen
  /// because it is the only `[[display]]` or the only connected display, and no other display is
  /// connected. Otherwise every display.
  private func alternatives(
    to display: String, _ source: Source, panel: PanelIdentity, rule: Configuration.DeviceRule?,
    connectors: [DRMConnector]
  ) -> PlacementUncertainty.Alternatives {
    if rule?.display != nil { return .none }
    if let output = panel.output?.asName { return output == display ? .none : .all }
    let connected = Set(connectors.map(\.name))
    let isOnly = source != .guess && connected.isSubset(of: [display])
    return isOnly ? .allBut(connected: connected) : .all
  }

  private func display(
    of panel: PanelIdentity, rule: Configuration.DeviceRule?, connectors: [DRMConnector]
  ) -> (name: String, Source) {
    if let name = rule?.display { return (name, .configuration) }
    if let only = configuration.displays.first, configuration.displays.count == 1 {
      return (only.name, .configuration)
    }
    // udev rules are written by hand, so `asName` rejects a value that is too long or not
    // printable: it could garble a table or a log line.
    if let output = panel.output?.asName { return (output, .wlOutput) }
    if let only = connectors.first, connectors.count == 1 { return (only.name, .drm) }
    return ("panel \(panel.key)", .guess)
  }

  /// Returns the placement with the current geometry of its display; nil if that geometry cannot be
  /// determined. The panel stays on its display.
  func resized(
    _ placement: Placement, of panel: PanelIdentity, connectors: [DRMConnector]
  ) -> (placement: Placement, sizeKnowledge: SizeKnowledge)? {
    var warnings: [String] = []
    let size = size(
      of: placement.display, source: placement.displaySource, panel: panel,
      connectors: connectors, others: [], warnings: &warnings)
    guard let (geometry, source, knowledge) = size else { return nil }
    var placement = placement
    (placement.geometry, placement.geometrySource) = (geometry, source)
    return (placement, knowledge)
  }

  /// Returns the geometry of a display, with the overrides of clients applied; nil if it cannot be
  /// determined.
  private func size(
    of display: String, source: Source, panel: PanelIdentity, connectors: [DRMConnector],
    others: [Placement], warnings: inout [String]
  ) -> (DisplayGeometry, Source, SizeKnowledge)? {
    let (geometry, source, knowledge) = geometry(
      of: display, source: source, panel: panel, connectors: connectors, others: others,
      warnings: &warnings)
    guard let geometry else { return nil }
    guard !configuration.masksRectangle(on: display), let override = overrides[display],
      let overridden = override.applied(to: geometry)
    else { return (geometry, source, knowledge) }
    return (overridden, override.source(of: source), override.size == nil ? knowledge : .known)
  }

  private func geometry(
    of display: String, source: Source, panel: PanelIdentity, connectors: [DRMConnector],
    others: [Placement], warnings: inout [String]
  ) -> (DisplayGeometry?, Source, SizeKnowledge) {
    let blockSize = configuration.grid.blockSize
    let configured = configuration.display(named: display)
    if let geometry = configured?.geometry(blockSize: blockSize) {
      return (geometry, .configuration, .known)
    }
    let scale = configured?.scale ?? 1
    let rotation = configured?.rotation ?? .none
    let connector = connectors.first { $0.name == display }
    let preferred = connector?.size
    for size in [modes.size(of: display), preferred].compactMap(\.self) {
      let geometry = DisplayGeometry(
        pixelWidth: size.width, pixelHeight: size.height, scale: scale, rotation: rotation,
        blockSize: blockSize)
      guard let geometry else { continue }
      // A client must not be able to move a rectangle that the configuration masks. As a guess, the
      // size makes the mask cover the whole screen.
      if configuration.masksRectangle(on: display),
        isSettling || size != preferred || contradicted.contains(display)
      {
        return (geometry, .guess, .contradicted)
      }
      return (geometry, size == preferred ? .drm : .client, .known)
    }
    if preferred != nil {
      warnings.append(
        "display \(display.printable()) has too many blocks for a grid, so its shape is guessed; "
          + "set a larger block_size in [grid]")
    }
    let known = others.first { $0.display == display && $0.geometrySource != .guess }
    if let known { return (known.geometry, known.geometrySource, .known) }
    if source != .guess {
      warnings.append(
        "the size of display \(display.printable()) is unknown, and is guessed from the "
          + "touchscreen's axes; set width and height in [[display]]")
    }
    let guess =
      DisplayGeometry.guessed(
        from: panel.contactProtocol, rotation: rotation, scale: scale, blockSize: blockSize)
    // With a small block size, the guess may have too many blocks. It always fits with the default
    // scale, rotation and block size.
    let isExpected = connector != nil && preferred == nil
    return (
      guess ?? DisplayGeometry.guessed(from: panel.contactProtocol), .guess,
      isExpected ? .expected : .unknown
    )
  }
}
