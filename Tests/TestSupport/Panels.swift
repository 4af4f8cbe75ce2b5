public import TouchModel

extension DeviceDescription {
  /// Returns a simulated touchscreen of multitouch protocol B. Unless `hasSingleTouch` is false, it
  /// also has the single-touch axes that the kernel adds for old programs
  /// (`input_mt_report_pointer_emulation`).
  /// - Parameters:
  ///   - slots: 1 or more; the kernel's uinput accepts up to 100.
  ///   - x: The range of positions, both ends included.
  ///   - y: The range of positions, both ends included.
  ///   - resolution: The units per mm of both axes; 0 if unknown.
  ///   - hasSingleTouch: Whether it announces `BTN_TOUCH`, `ABS_X` and `ABS_Y`.
  ///   - extra: Further axes, for example `ABS_MT_TOOL_TYPE`.
  public static func panel(
    slots: Int = 10, x: ClosedRange<Int32> = 0...4095, y: ClosedRange<Int32> = 0...4095,
    resolution: (x: Int32, y: Int32) = (0, 0), hasSingleTouch: Bool = true,
    extra: [UInt16: AxisInfo] = [:], name: String = "Touchgrid test panel"
  ) -> DeviceDescription {
    let xAxis = axis(x, resolution.x)
    let yAxis = axis(y, resolution.y)
    var device = base(name)
    device.axes = extra
    device.axes[AbsCode.mtSlot] = AxisInfo(
      minimum: 0, maximum: Int32(clamping: slots) - 1)
    device.axes[AbsCode.mtTrackingID] = AxisInfo(minimum: 0, maximum: 0xffff)
    device.axes[AbsCode.mtPositionX] = xAxis
    device.axes[AbsCode.mtPositionY] = yAxis
    if hasSingleTouch { device.addSingleTouch(xAxis, yAxis) }
    return device
  }

  /// Returns a panel with positions from 0 to `width - 1` and `height - 1`.
  public static func panel(
    slots: Int = 10, width: Int32, height: Int32, name: String = "Touchgrid test panel"
  ) -> DeviceDescription {
    panel(slots: slots, x: 0...width - 1, y: 0...height - 1, name: name)
  }

  /// Returns a simulated screen for a single finger: `ABS_X`, `ABS_Y`, `BTN_TOUCH`.
  public static func singleTouch(
    x: ClosedRange<Int32> = 0...4095, y: ClosedRange<Int32> = 0...4095,
    resolution: (x: Int32, y: Int32) = (0, 0), name: String = "Touchgrid test single"
  ) -> DeviceDescription {
    var device = base(name)
    device.addSingleTouch(axis(x, resolution.x), axis(y, resolution.y))
    return device
  }

  /// Returns a simulated screen of multitouch protocol A, which reports all contacts in every
  /// frame, without slots.
  /// - Parameter hasTrackingID: Whether it numbers its contacts.
  public static func anonymous(
    x: ClosedRange<Int32> = 0...4095, y: ClosedRange<Int32> = 0...4095,
    resolution: (x: Int32, y: Int32) = (0, 0), hasTrackingID: Bool = false,
    name: String = "Touchgrid test anonymous"
  ) -> DeviceDescription {
    let xAxis = axis(x, resolution.x)
    let yAxis = axis(y, resolution.y)
    var device = base(name)
    device.axes[AbsCode.mtPositionX] = xAxis
    device.axes[AbsCode.mtPositionY] = yAxis
    if hasTrackingID {
      device.axes[AbsCode.mtTrackingID] = AxisInfo(minimum: 0, maximum: 0xffff)
    }
    device.addSingleTouch(xAxis, yAxis)
    return device
  }

  private static func base(_ name: String) -> DeviceDescription {
    DeviceDescription(
      name: name,
      identifiers: DeviceIdentifiers(bus: 0x06, vendor: 0x1209, product: 0x0001, version: 1),
      // `INPUT_PROP_DIRECT`: the device is a screen.
      properties: [1])
  }

  private static func axis(_ range: ClosedRange<Int32>, _ resolution: Int32) -> AxisInfo {
    AxisInfo(minimum: range.lowerBound, maximum: range.upperBound, resolution: resolution)
  }

  private mutating func addSingleTouch(_ x: AxisInfo, _ y: AxisInfo) {
    codes[EventType.key] = [KeyCode.buttonTouch]
    axes[AbsCode.x] = x
    axes[AbsCode.y] = y
  }
}
