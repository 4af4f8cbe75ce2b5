import CLibevdev
import Glibc
import Testing
import TouchModel

@testable import Recordings

@Suite struct VirtualTouchscreenTests {
  @Test func `More slots than uinput supports are refused`() {
    #expect(throws: VirtualTouchscreenError.tooManySlots(101)) {
      _ = try VirtualTouchscreen(
        DeviceDescription(axes: [AbsCode.mtSlot: AxisInfo(minimum: 0, maximum: 100)]))
    }
    #expect(
      VirtualTouchscreenError.tooManySlots(101).description
        == "the device reports up to 101 contacts at once, and the kernel's uinput takes at most "
        + "100")
  }

  @Test(arguments: [
    (VirtualTouchscreenError.cannotOpen(errno: ENOENT), "modprobe uinput"),
    (.cannotOpen(errno: EACCES), "run this as root (sudo)"),
    (.cannotOpen(errno: EMFILE), "Too many open files"),
    (.refused(errno: EINVAL, hint: "axis 53"), "Invalid argument (axis 53)"),
    (.cannotWrite(errno: ENODEV), "No such device"),
  ])
  func `Errors say what to do`(error: VirtualTouchscreenError, words: String) {
    #expect(error.description.contains(words))
  }

  @Test func `If uinput fails with EINVAL, the hint names the invalid axis`() {
    let backwards = DeviceDescription(axes: [53: AxisInfo(minimum: 5, maximum: 4)])
    #expect(
      VirtualTouchscreen.hint(backwards) == "axis 53: the maximum, 4, is below the minimum, 5")
    let flat = DeviceDescription(axes: [53: AxisInfo(minimum: .min, maximum: .max, flat: .max)])
    #expect(VirtualTouchscreen.hint(flat) == nil)
  }

  @Test func `libevdev accepts any description`() throws {
    let device = DeviceDescription(
      name: "Evil %s %d \"\n", properties: [0, 1, 0x1f, 0xffff],
      codes: [0: [0], 1: [0, 0x14a, 0x2ff, 0xffff], 0x14: [0, 1], 0x15: [80], 0xffff: [1]],
      axes: [
        0x2f: AxisInfo(minimum: 0, maximum: 9), 0x35: AxisInfo(minimum: 7, maximum: -7),
        0x39: AxisInfo(minimum: 0, maximum: 65535), 0xffff: AxisInfo(minimum: 0, maximum: 1),
      ])
    _ = try UinputDescription(device, name: device.name, keepsFuzz: true)
  }

  @Test(arguments: [(true, 15), (false, 0)] as [(Bool, Int32)])
  func `The kernel's noise filter is off unless keepsFuzz is set`(
    keepsFuzz: Bool, fuzz: Int32
  ) throws {
    let device = DeviceDescription(axes: [0x35: AxisInfo(minimum: 0, maximum: 4095, fuzz: 15)])
    let blueprint = try UinputDescription(device, name: "x", keepsFuzz: keepsFuzz)
    let made = unsafe libevdev_get_abs_fuzz(blueprint.handle, 0x35)
    #expect(made == fuzz)
  }
}
