import Testing

@testable import TouchgridFollow

/// When a page is reported whose browser has not said yet whether it could be loaded.
@Suite struct HeldPageTests {
  private func page(_ url: String, isSure: Bool = false, hasFailed: Bool = false)
    -> BrowserPages.Page
  {
    .init(
      target: "A", url: "http://localhost/\(url)", title: "", hasFailed: hasFailed, isSure: isSure)
  }

  private func isMasked(_ page: Observation) -> Bool { page.url == "http://localhost/pay" }

  @Test func `A page is reported when it is known to be loaded, with the time at which it came`() {
    var held = HeldPage()
    #expect(held.add(page("a"), at: 5, isMasked: isMasked).isEmpty)
    #expect(held.patience == 50)
    let sure = page("a", isSure: true)
    #expect(held.add(sure, at: 9, isMasked: isMasked) == [.init(page: sure, time: 5)])
    #expect(held.add(sure, at: 10, isMasked: isMasked).isEmpty)
    let failed = page("a", isSure: true, hasFailed: true)
    #expect(held.add(failed, at: 11, isMasked: isMasked) == [.init(page: failed, time: 11)])
  }

  @Test func `A page that is left is reported before the next, and so is the last`() {
    var held = HeldPage()
    _ = held.add(page("a"), at: 5, isMasked: isMasked)
    #expect(held.add(page("b"), at: 6, isMasked: isMasked) == [.init(page: page("a"), time: 5)])
    #expect(
      held.add(nil, at: 7, isMasked: isMasked) == [
        .init(page: page("b"), time: 6), .init(page: nil, time: 7),
      ])
    _ = held.add(page("c"), at: 8, isMasked: isMasked)
    #expect(held.release() == [.init(page: page("c"), time: 8)])
    #expect(held.release().isEmpty)
  }

  @Test func `While pages are listed, only the last of them is reported, or a masked one`() {
    var held = HeldPage()
    var (first, last, pay) = (page("a", isSure: true), page("b", isSure: true), page("pay"))
    (first.isListing, last.isListing, pay.isListing) = (true, true, true)
    #expect(held.add(first, at: 5, isMasked: isMasked).isEmpty)
    #expect(held.add(last, at: 6, isMasked: isMasked).isEmpty)
    last.isListing = false
    #expect(held.add(last, at: 7, isMasked: isMasked) == [.init(page: last, time: 5)])
    held = HeldPage()
    #expect(held.add(first, at: 5, isMasked: isMasked).isEmpty)
    #expect(held.add(pay, at: 6, isMasked: isMasked) == [.init(page: pay, time: 5)])
    held = HeldPage()
    _ = held.add(first, at: 5, isMasked: isMasked)
    #expect(held.patience == 5000 && held.forget().isEmpty && held.patience == nil)
    _ = held.add(page("c"), at: 8, isMasked: isMasked)
    #expect(held.forget() == [.init(page: page("c"), time: 8)])
  }

  @Test func `A masked page is reported at once`() {
    var held = HeldPage()
    #expect(held.add(page("pay"), at: 5, isMasked: isMasked) == [.init(page: page("pay"), time: 5)])
  }
}
