import Testing
import TouchModel
import TouchgridAPI

@testable import TouchgridFollow

/// Which control of which screen a response is reported for.
@Suite struct ShownControlsTests {
  private static let url = "http://kiosk.example/cart"

  private func item(_ label: String, x: Double) throws -> ObservedControls.Item {
    ObservedControls.Item(
      role: "button", label: label,
      rectangle: try #require(Rectangle(x: x, y: 0, width: 50, height: 50)))
  }

  private func list(
    _ items: [ObservedControls.Item], screen: String = "cart", at time: Int64 = 0
  ) -> ShownControls.List {
    ShownControls.List(
      display: nil, screen: screen,
      observed: ObservedControls(
        display: nil, url: Self.url, width: 800, height: 480, items: items, time: time, secrets: [])
    )
  }

  private func response(
    to item: ObservedControls.Item, ended: Int64 = 1_000_000, leaves: Bool = false
  ) -> ObservedResponse {
    ObservedResponse(
      display: nil, url: Self.url, item: item, ended: ended, milliseconds: 30, leaves: leaves)
  }

  private func shown(isMasked: Bool = false) -> ShownScreens.Change {
    ShownScreens.Change(display: nil, name: "later", isMasked: isMasked, time: 0, sighting: nil)
  }

  @Test func `A response is that of the control in the layout before it`() throws {
    var controls = ShownControls()
    let (first, second) = (try item("Add", x: 0), try item("Add", x: 100))
    controls.remember(list([first, second]))
    // The touch changed the layout, and another screen has appeared meanwhile.
    controls.remember(list([second], screen: "paid", at: 1_100_000))
    let found = controls.call(response(to: second), shown: shown())
    let call = try #require(found)
    #expect(call.screen == "cart" && call.control == "button Add 2")
    #expect(call.endedAtUs == 1_000_000 && call.responseMs == 30)
    let other = try item("Other", x: 0)
    let none = controls.call(response(to: other), shown: shown())
    #expect(none == nil)
  }

  @Test func `Once the screen is masked, responses to former controls are dropped`() throws {
    var controls = ShownControls()
    let key = try item("7", x: 0)
    controls.remember(list([key]))
    let masked = controls.call(response(to: key), shown: shown(isMasked: true))
    let after = controls.call(response(to: key), shown: shown())
    #expect(masked == nil && after == nil)
  }

  @Test func `A page that leaves responds when the next one arrives, within 2500 ms`() throws {
    for (time, milliseconds) in [(1_400_000, 400), (3_500_000, 2500), (3_502_000, nil)]
      as [(Int64, Int64?)]
    {
      var controls = ShownControls()
      let pay = response(to: try item("Pay", x: 0), leaves: true)
      let told = controls.settle(pay, from: 0)
      let other = controls.arrive(from: 1, at: time)
      let arrived = controls.arrive(from: 0, at: time).map(\.milliseconds)
      let again = controls.arrive(from: 0, at: time)
      #expect(told == nil && other.isEmpty && again.isEmpty)
      #expect(arrived == (milliseconds.map { [$0] } ?? []))
    }
    // A change that the page shows before it goes away comes first.
    var controls = ShownControls()
    let pay = try item("Pay", x: 0)
    let leaving = controls.settle(response(to: pay, leaves: true), from: 0)
    let changed = controls.settle(response(to: pay), from: 0)
    let arrived = controls.arrive(from: 0, at: 1_400_000)
    #expect(leaving == nil && changed != nil && arrived.isEmpty)
  }
}
