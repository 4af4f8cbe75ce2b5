import TestSupport
import Testing
import TouchModel

@Suite struct ContactProtocolTests {
  private func refusal(_ device: DeviceDescription) -> ContactProtocolError? {
    do {
      _ = try ContactProtocol(of: device)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    (1, 1), (2, 2), (10, 10), (100, 100), (256, 256), (257, 256), (Int(Int32.max), 256),
  ])
  func `A panel with slots has protocol B, with at most 256 slots`(announced: Int, followed: Int)
    throws
  {
    #expect(try ContactProtocol(of: .panel(slots: announced)).kind == .slots(followed))
  }

  @Test func `The largest slot number does not overflow`() throws {
    var device = DeviceDescription.panel()
    device.axes[AbsCode.mtSlot] = AxisInfo(minimum: 0, maximum: .max)
    #expect(try ContactProtocol(of: device).kind == .slots(256))
  }

  @Test func `A multitouch panel needs neither BTN_TOUCH nor ABS_X`() throws {
    let panel = DeviceDescription.panel(x: -5...5, y: 0...7, hasSingleTouch: false)
    let touches = try ContactProtocol(of: panel)
    #expect(touches.kind == .slots(10))
    #expect(touches.x.minimum == -5 && touches.y.maximum == 7)
  }

  @Test func `A device with ABS_X, ABS_Y and BTN_TOUCH is single touch`() throws {
    let single = try ContactProtocol(of: .singleTouch(x: 0...99, y: -9...9))
    #expect(single.kind == .single)
    #expect(single.y.minimum == -9)
  }

  @Test func `A device that announces every axis up to ABS_MT_SLOT is single touch`() throws {
    var device = DeviceDescription.panel(x: 0...7, y: 0...7)
    device.axes[AbsCode.reserved] = AxisInfo(minimum: 0, maximum: 0)
    #expect(try ContactProtocol(of: device).kind == .single)
    device.codes = [:]
    #expect(refusal(device) == .noTouchButton)
  }

  @Test func `Each unusable device is refused with its own reason`() {
    #expect(refusal(DeviceDescription()) == .noPosition)
    var noButton = DeviceDescription.singleTouch()
    noButton.codes = [:]
    #expect(refusal(noButton) == .noTouchButton)
    var noID = DeviceDescription.panel()
    noID.axes[AbsCode.mtTrackingID] = nil
    #expect(refusal(noID) == .noTrackingID)
    var noSlots = DeviceDescription.panel()
    noSlots.axes[AbsCode.mtSlot] = AxisInfo(minimum: 0, maximum: -1)
    #expect(refusal(noSlots) == .noSlots(maximum: -1))
    for (code, name) in [
      (AbsCode.mtPositionX, "ABS_MT_POSITION_X"), (AbsCode.mtPositionY, "ABS_MT_POSITION_Y"),
    ] {
      var device = DeviceDescription.panel()
      device.axes[code] = nil
      #expect(refusal(device) == .axisMissing(name))
      device.axes[code] = AxisInfo(minimum: 5, maximum: 5)
      #expect(refusal(device) == .emptyRange(axis: name, minimum: 5, maximum: 5))
      device.axes[code] = AxisInfo(minimum: .max, maximum: .min)
      #expect(refusal(device) == .emptyRange(axis: name, minimum: .max, maximum: .min))
    }
    var noY = DeviceDescription.singleTouch()
    noY.axes[AbsCode.y] = nil
    #expect(refusal(noY) == .axisMissing("ABS_Y"))
  }

  @Test func `A refusal says what is wrong and how to correct it`() {
    let text = ContactProtocolError.emptyRange(axis: "ABS_X", minimum: 3, maximum: 3).description
    #expect(text.contains("ABS_X") && text.contains("3 to 3") && text.contains("hwdb"))
  }
}
