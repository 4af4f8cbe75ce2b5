import Testing

@testable import TouchgridFollow

@Suite struct ExtensionTabTests {
  private struct Tab {
    var tab = ExtensionTab()
    var names: ScreenNames

    mutating func name(
      _ url: String?, opener: String? = nil, behind: [String]? = nil, failed: Bool? = nil
    ) -> String {
      let page = ExtensionPage(
        url: url, title: "", failed: failed, opener: opener.map { .init(url: $0) },
        behind: behind?.map { .init(url: $0) })
      guard case .sighting(let seen) = tab.seen(page, on: nil).content,
        case .screen(let name, let isMasked) = names.name(seen, at: 0)
      else { return "" }
      return name + (isMasked ? " (masked)" : "")
    }
  }

  private func tab() throws -> Tab {
    Tab(
      names: ScreenNames(rules: [
        try ScreenRule(url: "/pay/*", .screen(name: "pay", isMasked: true))
      ]))
  }

  private let home = "http://localhost/"
  private let pay = "http://localhost/pay/card"

  @Test(arguments: ["about:blank", "data:text/html,x", "about:neterror?e=x", "chrome://newtab/"])
  func `A page without a name keeps that of the page before`(url: String) throws {
    var tab = try tab()
    #expect(tab.name(url) == "")
    #expect(tab.name(home) == "home")
    #expect(tab.name(url) == "home")
    #expect(tab.name(pay) == "pay (masked)")
    #expect(tab.name(url) == "pay (masked)")
    // A former opener takes no mask off.
    #expect(tab.name(url, opener: home) == "pay (masked)")
    #expect(tab.name("http://localhost/news") == "news")
    let isBrowsers = url.hasPrefix("about:n") || url.hasPrefix("chrome")
    #expect(tab.name(url, opener: home) == (isBrowsers ? "news" : "home"))
    #expect(tab.name(home) == "home")
  }

  @Test func `A follower that starts later learns the page before from the extension`() throws {
    var tab = try tab()
    #expect(tab.name("about:blank", opener: home) == "home")
    #expect(tab.name("about:blank", opener: pay, behind: [home]) == "pay (masked)")
    #expect(tab.name("chrome://newtab/", behind: [home]) == "home")
    #expect(tab.name("chrome://newtab/", behind: [home, pay]) == "pay (masked)")
    #expect(tab.name("chrome://newtab/", behind: ["about:blank"]) == "")
    #expect(tab.name("view-source:\(pay)") == "pay (masked)")
  }

  @Test func `A page that could not be loaded has a name of its own, and keeps its mask`() throws {
    var tab = try tab()
    #expect(tab.name(home, failed: true) == "@error")
    #expect(tab.name(pay, failed: true) == "@error/masked (masked)")
    #expect(tab.name(home, failed: false) == "home")
    // Chromium's own address of such a page does not say which one was wanted.
    #expect(tab.name("chrome-error://chromewebdata/") == "@error")
    _ = tab.name(pay)
    #expect(tab.name("chrome-error://chromewebdata/") == "@error/masked (masked)")
  }
}
