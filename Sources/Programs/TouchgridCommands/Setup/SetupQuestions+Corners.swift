import Text
import TouchInput
import TouchModel
import TouchgridAPI

/// The questions about the display and the orientation of each touchscreen.
extension SetupQuestions {
  /// Asks for touches in the corners of the picture on each display.
  mutating func askForCorners() throws {
    try dialogue.say()
    guard let nextTouch, !machine.touchscreens.isEmpty else {
      return try dialogue.say(
        """
        2. Touchscreens. The daemon reads no touchscreen, or does not run, so this question is left \
        out. 'sudo touchgrid setup --corners' asks it later.
        """)
    }
    try dialogue.say(
      """
      2. Touchscreens. Stand in front of the kiosk. The touches tell which touchscreen lies on which \
      display, and which way round.
      """)
    let names = machine.displayNames
    for name in names {
      try dialogue.say()
      guard let device = try cornerTouches(on: name, next: nextTouch) else {
        try dialogue.say("\(name.printable()): nothing is configured.")
        continue
      }
      try place(device.touchscreen, device.orientation, on: name, isOnly: names.count == 1)
    }
    // A single [[display]] would take over all touchscreens.
    if names.count > 1, !answers.displays.isEmpty {
      for name in names where !answers.displays.contains(where: { $0.name == name }) {
        answers.displays.append(SetupAnswers.Display(name: name))
      }
    }
  }

  /// Asks for touches in three corners of the picture.
  /// - Returns: nil if the user skips the display.
  private func cornerTouches(
    on display: String, next: () throws -> RawTouches.Event
  ) throws -> (touchscreen: API.Device, orientation: PanelOrientation)? {
    for _ in 0..<3 {
      var touched: [PanelOrientation.Corner] = []
      var touchscreen: API.Device?
      var extent: RawExtent?
      for name in ["top left", "top right", "bottom right"] {
        guard
          let (device, touch, corner) = try cornerTouch(
            name, on: display, only: touchscreen, next: next)
        else { return nil }
        if touchscreen == nil { try dialogue.say("  \(device.name.printable())") }
        touchscreen = device
        touched.append(corner)
        if extent == nil { extent = RawExtent(x: touch.x, y: touch.y) }
        extent?.include(x: touch.x, y: touch.y)
      }
      if let touchscreen,
        let orientation = PanelOrientation(
          topLeft: touched[0], topRight: touched[1], bottomRight: touched[2])
      {
        for wrong in touchscreen.wrongRanges(extent) {
          try dialogue.say(
            "  \(touchscreen.name.printable()): \(wrong.text). What to do: \(wrong.remedy).")
        }
        return (touchscreen, orientation)
      }
      try dialogue.say("These are not three corners of one touchscreen. Once more:")
    }
    return nil
  }

  /// Asks for a touch in one corner.
  /// - Parameter only: the touchscreen of the previous corners; nil for the first corner.
  /// - Returns: nil if the user skips the display.
  private func cornerTouch(
    _ corner: String, on display: String, only: API.Device?,
    next: () throws -> RawTouches.Event
  ) throws -> (API.Device, RawTouches.TouchDown, PanelOrientation.Corner)? {
    try dialogue.say(
      "Touch the \(corner) corner of the picture on \(display.printable()). Enter skips this display."
    )
    while true {
      switch try next() {
      case .line:
        _ = dialogue.read()
        return nil
      case .timeout:
        try dialogue.say("There was no touch.")
        return nil
      case .touch(let touch):
        if let device = machine.touchscreen(touch.device), only == nil || only?.key == device.key,
          let found = device.corner(nearest: touch.x, touch.y)
        {
          return (device, touch, found)
        }
        try dialogue.say("  This touch came from another touchscreen. Once more:")
      }
    }
  }

  private mutating func place(
    _ touchscreen: API.Device, _ orientation: PanelOrientation, on display: String, isOnly: Bool
  ) throws {
    guard let matrix = touchscreen.calibration else { return }
    let size = try displaySize(display)
    var isTurned = false
    if let size, size.width != size.height {
      let isWide = size.width > size.height
      let showsWide = try dialogue.agrees(
        "Is the picture on \(display.printable()) wider than high?",
        usual: isWide != orientation.isAcross(matrix))
      isTurned = showsWide != isWide
    }
    let (rotation, calibration) = orientation.settings(for: matrix, isTurned: isTurned)
    // Keep the values of the current configuration. Configure others only if they differ from the
    // values that the daemon detects.
    let kept = touchscreen.matrixSource == .configuration ? matrix : nil
    let needsSize = machine.connectors.first { $0.name == display }?.width == nil
    if rotation != .none || needsSize && size != nil {
      answers.displays.append(
        SetupAnswers.Display(
          name: display, size: needsSize ? size : nil, rotation: rotation == .none ? nil : rotation)
      )
    }
    if !isOnly || calibration ?? kept != nil {
      answers.touchscreens.append(
        SetupAnswers.Touchscreen(
          match: touchscreen.key, display: isOnly ? nil : display, calibration: calibration ?? kept)
      )
    }
    let turn =
      rotation == .none ? "is not turned" : "is turned by \(rotation.rawValue) degrees"
    let calibrated = calibration == nil ? "" : ", and the touchscreen needs a calibration"
    try dialogue.say(
      "  \(touchscreen.name.printable()) lies on \(display.printable()). The picture \(turn)"
        + calibrated + ".")
  }

  /// Returns the size of a display in pixels, before rotation. Asks the user if the kernel does not
  /// report it; nil if the user does not know it either.
  private func displaySize(_ display: String) throws -> PixelsArgument? {
    let connector = machine.connectors.first { $0.name == display }
    if let width = connector?.width, let height = connector?.height {
      return PixelsArgument(argument: "\(width)x\(height)")
    }
    return try dialogue.ask(
      """
      What is the resolution of \(display.printable()) in pixels, before the picture is turned (such as \
      1920x1080)? Enter leaves it to a guess.
      """
    ) { line throws(Failure) in
      if line.isEmpty { return nil }
      guard let size = PixelsArgument(argument: line) else {
        throw Failure("It must be \(PixelsArgument.forms).")
      }
      return size
    }
  }
}
