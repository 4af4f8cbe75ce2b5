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

  @Test("Only where the node's own permissions keep us out is the group the advice")
  func permission() {
    #expect(opening(EACCES) == .noPermission(node: Self.node))
    #expect("\(opening(EACCES))".contains("add the user to the group"))
    #expect(opening(EPERM) == .forbidden(node: Self.node))
    #expect("\(opening(EPERM))".contains("DeviceAllow"))
    #expect(!"\(opening(EPERM))".contains("group"))
    #expect(opening(EACCES).isPermission && opening(EPERM).isPermission)
    #expect(!opening(EIO).isPermission && !opening(ENOENT).isPermission)
  }

  @Test("A node that has gone at opening is replaced; any other error is told")
  func opening() {
    for code in [ENOENT, ENODEV, ENXIO] { #expect(opening(code) == .replaced) }
    #expect("\(opening(EMFILE))" == "opening \(Self.node): Too many open files")
  }

  @Test("ENODEV of a device that is still there is a revocation, of one that is not no refusal")
  func revoked() {
    #expect(reading(ENODEV, isPresent: true) == .revoked)
    #expect(reading(ENODEV, isPresent: false) == nil)
  }

  @Test("Any other error at reading is told, not called a revocation", arguments: [true, false])
  func reading(isPresent: Bool) {
    #expect(
      reading(EIO, isPresent: isPresent).map { "\($0)" } == "reading events: Input/output error")
  }
}
