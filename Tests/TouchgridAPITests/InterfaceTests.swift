import Testing
import TouchgridAPI
import Varlink

@Suite struct InterfaceTests {
  @Test func `The description that is served is that of io.touchgrid`() {
    #expect(InterfaceDescription.touchgrid.text.contains("\ninterface io.touchgrid\n"))
  }
}
