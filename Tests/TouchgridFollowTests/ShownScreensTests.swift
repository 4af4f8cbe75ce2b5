import Testing

@testable import TouchgridFollow

@Suite struct ShownScreensTests {
  private func shown(sources: Int = 1) throws -> ShownScreens {
    let rules = [
      try ScreenRule(app: "browser", .ignored),
      try ScreenRule(app: "bank", .screen(name: "pay", isMasked: true)),
    ]
    return ShownScreens(names: ScreenNames(rules: rules), sources: sources)
  }

  private func app(_ name: String, on display: String? = nil, at time: Int64) -> ObservedScreen {
    ObservedScreen(display: display, content: .sighting(Observation(app: name)), time: time)
  }

  private func words(_ changes: [ShownScreens.Change]) -> [String] {
    changes.map { "\($0.display ?? "all"): \($0.name) \($0.time)" }
  }

  @Test func `A name is reported once, with the time of its observation`() throws {
    var shown = try shown()
    #expect(words(shown.update(app("game", at: 7), from: 0)) == ["all: game 7"])
    #expect(shown.update(app("game", at: 8), from: 0).isEmpty)
    #expect(words(shown.update(app("menu", at: 9), from: 0)) == ["all: menu 9"])
  }

  @Test func `Of several pages with one name, the one that is shown now is known`() throws {
    let rule = try ScreenRule(url: "/product/:id", .screen(name: "product", isMasked: false))
    var shown = ShownScreens(names: ScreenNames(rules: [rule]), sources: 1)
    #expect(shown.current(on: nil) == nil)
    for number in 1...2 {
      let page = Observation(url: "http://localhost/product/\(number)")
      _ = shown.update(ObservedScreen(content: .sighting(page), time: 1), from: 0)
      #expect(shown.current(on: nil)?.sighting == page)
    }
    #expect(shown.current(on: nil)?.name == "product")
  }

  @Test func `When nothing is shown, the screen becomes default unless it is masked`() throws {
    var shown = try shown()
    let nothing = ObservedScreen(content: .nothing, time: 5)
    #expect(shown.update(nothing, from: 0).isEmpty)
    _ = shown.update(app("game", at: 1), from: 0)
    #expect(words(shown.update(nothing, from: 0)) == ["all: default 5"])
    #expect(shown.update(nothing, from: 0).isEmpty)
    let masked = shown.update(app("bank", at: 6), from: 0)
    #expect(masked.map(\.isMasked) == [true])
    #expect(shown.update(nothing, from: 0).isEmpty)
    #expect(words(shown.everything(names: ScreenNames())) == ["all: pay 6"])
  }

  @Test func `The first source with an observation decides, and ignored ones are skipped`() throws {
    var shown = try shown(sources: 2)
    let page = ObservedScreen(
      content: .sighting(Observation(url: "http://localhost/menu")), time: 1)
    #expect(words(shown.update(page, from: 1)) == ["all: menu 1"])
    #expect(words(shown.update(app("game", at: 2), from: 0)) == ["all: game 2"])
    // The page changes behind the game, so the screen stays.
    let next = ObservedScreen(
      content: .sighting(Observation(url: "http://localhost/cart")), time: 3)
    #expect(shown.update(next, from: 1).isEmpty)
    #expect(words(shown.update(app("browser", at: 4), from: 0)) == ["all: cart 4"])
  }

  @Test func `Displays keep their own screens when all displays are named`() throws {
    var shown = try shown(sources: 2)
    #expect(words(shown.update(app("left", on: "A", at: 1), from: 0)) == ["A: left 1"])
    // The name for all displays replaces that of A, so the name from A's own source is sent again.
    #expect(
      words(shown.update(app("everywhere", at: 2), from: 1)) == ["all: everywhere 2", "A: left 2"])
    #expect(words(shown.update(app("right", on: "A", at: 3), from: 0)) == ["A: right 3"])
    let gone = ObservedScreen(display: "A", content: .nothing, time: 4)
    #expect(words(shown.update(gone, from: 0)) == ["A: everywhere 4"])
  }

  @Test func `Reported times never decrease`() throws {
    var shown = try shown(sources: 2)
    _ = shown.update(app("game", at: 10), from: 1)
    #expect(words(shown.update(app("menu", at: 9), from: 0)) == ["all: menu 10"])
    _ = shown.update(app("left", on: "A", at: 20), from: 0)
    let nothing = ObservedScreen(content: .nothing, time: 15)
    #expect(words(shown.update(nothing, from: 0)) == ["all: game 20", "A: left 20"])
  }

  @Test func `A later observation of another source replaces an ignored one`() throws {
    var shown = try shown(sources: 2)
    _ = shown.update(app("game", at: 1), from: 0)
    #expect(shown.update(app("browser", at: 2), from: 0).isEmpty)
    // The second source observes the browser's page only now.
    let page = ObservedScreen(
      content: .sighting(Observation(url: "http://localhost/menu")), time: 3)
    #expect(words(shown.update(page, from: 1)) == ["all: menu 3"])
  }

  @Test func `A masked screen stays when its source is gone, until that source reports another`()
    throws
  {
    var shown = try shown(sources: 2)
    _ = shown.update(app("window", at: 1), from: 1)
    _ = shown.update(app("bank", at: 2), from: 0)
    #expect(shown.update(ObservedScreen(content: .unknown, time: 3), from: 0).isEmpty)
    #expect(shown.update(app("other window", at: 4), from: 1).isEmpty)
    #expect(shown.removeSource(0, at: 5).isEmpty)
    #expect(words(shown.update(app("game", at: 6), from: 0)) == ["all: game 6"])
    #expect(words(shown.removeSource(0, at: 7)) == ["all: other window 7"])
  }

  @Test func `A masked page that turns out to have failed has another name from then on`() throws {
    let rule = try ScreenRule(url: "/pay", .screen(name: "pay", isMasked: true))
    var shown = ShownScreens(names: ScreenNames(rules: [rule]), sources: 1)
    var page = Observation(url: "http://localhost/pay")
    let changes = [(false, 1), (true, 5)].map { (hasFailed, time: Int64) in
      page.hasFailed = hasFailed
      return words(shown.update(ObservedScreen(content: .sighting(page), time: time), from: 0))
    }
    #expect(changes == [["all: pay 1"], ["all: @error/masked 5"]])
  }

  @Test func `A page whose title arrives later is masked from its beginning`() throws {
    let rule = try ScreenRule(title: "*card*", .screen(name: "pay", isMasked: true))
    var shown = ShownScreens(names: ScreenNames(rules: [rule]), sources: 1)
    let page = { (title: String, time: Int64) in
      ObservedScreen(
        content: .sighting(Observation(url: "http://localhost/form", title: title)), time: time)
    }
    #expect(words(shown.update(page("", 5), from: 0)) == ["all: form 5"])
    #expect(words(shown.update(page("your card", 9), from: 0)) == ["all: pay 5"])
  }

  @Test func `When all displays become default, a display whose masked screen is gone does too`()
    throws
  {
    var shown = try shown(sources: 2)
    _ = shown.update(app("bank", on: "A", at: 1), from: 0)
    _ = shown.update(ObservedScreen(display: "A", content: .nothing, time: 2), from: 0)
    _ = shown.update(app("game", at: 3), from: 1)
    #expect(
      words(shown.update(ObservedScreen(content: .nothing, time: 4), from: 1)) == ["all: default 4"]
    )
  }

  @Test func `All names can be reported again with their original times`() throws {
    var shown = try shown()
    _ = shown.update(app("game", at: 7), from: 0)
    #expect(words(shown.everything(names: ScreenNames(masked: ["game"]))) == ["all: game 7"])
    #expect(shown.update(app("game", at: 8), from: 0).isEmpty)
  }
}
