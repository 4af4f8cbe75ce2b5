import Glibc
import LinuxIO
import Testing

@testable import TouchInput

@Suite struct RefusalTests {
  private static let node = "/dev/input/event5"

  private func opening(_ code: Int32) -> Refusal {
    Refusal(opening: Self.node, SystemError(code: code, context: "opening \(Self.node)"))
  }

  private func reading(_ code: Int32, isPresent: Bool) -> Refusal? {
    Refusal(reading: SystemError(code: code, context: "reading events"), isPresent: isPresent)
  }

  @Test func `Only missing permissions of the node lead to the advice about the group`() {
    #expect(opening(EACCES) == .noPermission(node: Self.node))
    #expect("\(opening(EACCES))".contains("add the daemon's user to the group"))
    #expect(opening(EPERM) == .forbidden(node: Self.node))
    #expect("\(opening(EPERM))".contains("DeviceAllow"))
    #expect(!"\(opening(EPERM))".contains("group"))
    #expect(opening(EACCES).isPermission && opening(EPERM).isPermission)
    #expect(!opening(EIO).isPermission && !opening(ENOENT).isPermission)
  }

  @Test func `A node that is gone when opened was replaced, and other errors are reported`() {
    for code in [ENOENT, ENODEV, ENXIO] { #expect(opening(code) == .replaced) }
    #expect("\(opening(EMFILE))" == "opening \(Self.node): Too many open files")
  }

  @Test func `ENODEV is a revocation if the device is present, and else not a refusal`() {
    #expect(reading(ENODEV, isPresent: true) == .revoked)
    #expect(reading(ENODEV, isPresent: false) == nil)
  }

  @Test(arguments: [true, false])
  func `Other errors of reading are reported`(isPresent: Bool) {
    #expect(
      reading(EIO, isPresent: isPresent).map { "\($0)" } == "reading events: Input/output error")
  }
}
