public import TouchModel

/// Lays panels on displays: by the configuration (a rule, or the only display that is described), else by `WL_OUTPUT`,
/// else on the only connected display, else on one that is guessed from the panel itself.
public struct DisplayAssignment: Sendable {
  /// May change while panels are laid out; those are then to be laid out anew.
  public var configuration: Configuration
  /// What clients have said, by display.
  var overrides: [String: DisplayOverride] = [:]
  /// The modes in which a compositor drives displays, as clients report them, by display.
  var modes: [String: Configuration.Display.Size] = [:]
  private let connectors: @Sendable () -> [DRMConnector]

  /// - Parameter connectors: those that are connected, asked for each panel: a monitor may be switched on,
  ///   and its driver loaded, after the daemon has started.
  public init(
    configuration: Configuration, connectors: @escaping @Sendable () -> [DRMConnector]
  ) {
    self.configuration = configuration
    self.connectors = connectors
  }

  /// A connected display has no size yet.
  var lacksMode: Bool { connectors().contains { $0.size == nil } }

  /// A panel's placement, and what had to be passed over to make it.
  public struct Result: Sendable {
    public var placement: Placement
    /// Displays that the panel may lie on as well, as far as is known.
    public var alternatives: PlacementUncertainty.Alternatives
    /// Each in words for the owner of the device.
    public var warnings: [String]
  }

  /// - Parameter others: how other panels lie: what is known of a display from them is not guessed.
  public func place(_ panel: PanelIdentity, beside others: [Placement] = []) -> Result? {
    var warnings: [String] = []
    let connectors = connectors()
    let rule = configuration.rule(key: panel.key, name: panel.name)
    let (display, displaySource) = display(of: panel, rule: rule, connectors: connectors)
    let (geometry, geometrySource) = geometry(
      of: display, source: displaySource, panel: panel, connectors: connectors, others: others,
      warnings: &warnings)
    guard var geometry else { return nil }
    var source = geometrySource
    if !configuration.masksRectangle(on: display), let override = overrides[display],
      let overridden = override.applied(to: geometry)
    {
      (geometry, source) = (overridden, override.source(of: source))
    }

    var matrix = CalibrationMatrix.identity
    var matrixSource = Source.kernel
    if let configured = rule?.calibration {
      (matrix, matrixSource) = (configured, .configuration)
    } else if let text = panel.calibration {
      if let parsed = CalibrationMatrix(text) {
        (matrix, matrixSource) = (parsed, .udev)
      } else {
        warnings.append(
          "LIBINPUT_CALIBRATION_MATRIX is \"\(text.printable())\", not six numbers: not applied")
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
      warnings: warnings)
  }

  /// A rule or `WL_OUTPUT` is certain. The only display that is described or connected may be the wrong one: of
  /// those that are not connected the panel may lie on any, and of several that are connected, too.
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
    // udev rules are written by hand: what could disturb a table or a log is no name.
    if let output = panel.output?.asName { return (output, .wlOutput) }
    if let only = connectors.first, connectors.count == 1 { return (only.name, .drm) }
    return ("panel \(panel.key)", .guess)
  }

  private func geometry(
    of display: String, source: Source, panel: PanelIdentity, connectors: [DRMConnector],
    others: [Placement], warnings: inout [String]
  ) -> (DisplayGeometry?, Source) {
    let blockSize = configuration.grid.blockSize
    let configured = configuration.display(named: display)
    if let geometry = configured?.geometry(blockSize: blockSize) {
      return (geometry, .configuration)
    }
    let scale = configured?.scale ?? 1
    let rotation = configured?.rotation ?? .none
    let preferred = connectors.first { $0.name == display }?.size
    if let size = modes[display] ?? preferred {
      let geometry = DisplayGeometry(
        pixelWidth: size.width, pixelHeight: size.height, scale: scale, rotation: rotation,
        blockSize: blockSize)
      if let geometry {
        if size == preferred { return (geometry, .drm) }
        // A client must not move what lies under a rectangle that the configuration masks.
        return (geometry, configuration.masksRectangle(on: display) ? .guess : .client)
      }
      warnings.append(
        "display \(display.printable()) is too large for a grid: its shape is guessed")
    }
    let known = others.first { $0.display == display && $0.geometrySource != .guess }
    if let known { return (known.geometry, known.geometrySource) }
    if source != .guess {
      warnings.append(
        "the size of display \(display.printable()) is not known: guessed from the panel's axes")
    }
    let guess =
      DisplayGeometry.guessed(
        from: panel.contactProtocol, rotation: rotation, scale: scale, blockSize: blockSize)
    // So fine a grid that the guess has too many blocks: the default is coarse enough for any.
    return (guess ?? DisplayGeometry.guessed(from: panel.contactProtocol), .guess)
  }
}
