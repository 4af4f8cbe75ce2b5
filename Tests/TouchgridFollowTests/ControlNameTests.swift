import Testing
import TouchModel

@testable import TouchgridFollow

@Suite struct ControlNameTests {
  private func names(_ items: [(String, String)]) throws -> [String] {
    let rectangle = try #require(Rectangle(x: 0, y: 0, width: 10, height: 10))
    return ControlNames.controls(
      items.map { .init(role: $0.0, label: $0.1, rectangle: rectangle) }, scaledBy: 1
    ).map(\.name)
  }

  @Test func `Digits are replaced, spaces are shortened`() throws {
    #expect(
      try names([("button", " Pay  14.50 "), ("link", "Order 20391\n(3)"), ("field", "")])
        == ["button Pay #.#", "link Order # (#)", "field"])
  }

  @Test func `The same name gets a number, also if that one is given already`() throws {
    #expect(
      try names([("button", "Add"), ("button", "Add #"), ("button", "Add"), ("button", "Add")])
        == ["button Add", "button Add #", "button Add 2", "button Add 3"])
  }

  @Test(arguments: ["結", "x", "e\u{301}", "\u{1f468}\u{200d}\u{1f469}"])
  func `Long names of any script are cut, stay apart and are valid`(part: String) throws {
    let label = String(repeating: part, count: 200)
    let role = String(repeating: part, count: 100)
    let found = try names(Array(repeating: (role, label), count: 300))
    #expect(found.count == ScreenControls.limit && Set(found).count == found.count)
    #expect(found.allSatisfy { $0.asName == $0 }, "\(found.prefix(2))")
  }
}
