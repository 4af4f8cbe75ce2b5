import TestSupport
import Testing
import TouchModel

@testable import TouchgridDaemon

/// The daemon before there is a configuration.
@Suite struct SetupTests {
  @Test func `Without a file every touch is masked, and the explanation says so`() {
    #expect(!Configuration.notSetUp.isSetUp && Configuration().isSetUp)
    let words = Configuration.notSetUp.explanation.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(words.contains("Every touch is masked") && words.contains("'sudo touchgrid setup'"))
    #expect(!Configuration().explanation.contains("Every touch is masked"))
  }

  @Test func `The mask of everything outlives changes of panels and of clients' masks`() throws {
    let machine = try Machine("", [Machine.panel], panels: [])
    machine.capture.masksEverything = true
    machine.capture.setMasks([], at: nil)
    try machine.plug("A")
    #expect(machine.capture.recorder.masks.coverEverything)
    machine.capture.setMasks([Mask(screen: "pin")], at: nil)
    #expect(machine.capture.recorder.masks.coverEverything)
    machine.capture.masksEverything = false
    machine.capture.setMasks([Mask(screen: "pin")], at: nil)
    #expect(!machine.capture.recorder.masks.coverEverything)
    #expect(machine.capture.recorder.masks.list == [Mask(screen: "pin")])
  }
}
