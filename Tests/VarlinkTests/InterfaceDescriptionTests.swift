import Testing
import Varlink

@Suite struct InterfaceDescriptionTests {
  @Test func `A description keeps its words`() {
    let description = InterfaceDescription(name: "org.example", text: "interface org.example")
    #expect(description.text.hasSuffix(description.name))
  }
}
