import Testing

@testable import TouchgridFollow

/// Which page of a browser names the screen, and which pages' masks hold for it.
@Suite struct BrowserPagesTests {
  /// A browser whose messages are given, and the names that result.
  struct Browser {
    var pages = BrowserPages()
    var names: ScreenNames

    /// - Parameter isListed: whether the pages are there before the follower connects.
    init(_ names: ScreenNames, isListed: Bool = false) {
      self.names = names
      if !isListed { tell(#"{"id":1,"result":{}}"#) }
    }

    mutating func tell(_ message: String) { pages.handle(Array(message.utf8)[...]) }

    /// Reports a target, as `targetCreated` or as `targetInfoChanged`.
    mutating func shows(
      _ id: String, _ url: String, openedBy opener: String? = nil, type: String = "page",
      title: String = ""
    ) {
      let opener = opener.map { #","openerId":"\#($0)""# } ?? ""
      let method = pages.targets.contains(id) ? "targetInfoChanged" : "targetCreated"
      tell(
        #"{"method":"Target.\#(method)","params":{"targetInfo":{"targetId":"\#(id)","type":"\#(type)","#
          + #""title":"\#(title)","url":"\#(url)"\#(opener)}}}"#)
    }

    mutating func closes(_ id: String) {
      tell(#"{"method":"Target.targetDestroyed","params":{"targetId":"\#(id)"}}"#)
    }

    /// The name of the page that is shown; "" if it has none.
    mutating func name() -> String {
      guard let shown = pages.shown,
        case .screen(let name, let isMasked) = names.name(shown.observation, at: 0)
      else { return "" }
      return name + (isMasked ? " (masked)" : "")
    }
  }

  private func browser(isListed: Bool = false, masked: Set<String> = []) throws -> Browser {
    let rules = [
      try ScreenRule(url: "/pay/*", .screen(name: "pay", isMasked: true)),
      try ScreenRule(title: "*PIN*", .screen(name: "pin", isMasked: true)),
      try ScreenRule(url: "chrome://settings/*", .screen(name: "settings", isMasked: true)),
    ]
    return Browser(ScreenNames(rules: rules, masked: masked), isListed: isListed)
  }

  @Test(arguments: [
    "chrome://print/", "chrome://omnibox-popup.top-chrome/", "chrome-untrusted://print/1",
    "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html", "CHROME://newtab/",
    "devtools://devtools/bundled/inspector.html", "chrome-search://local-ntp", "about:preferences",
    "view-source:http://localhost/x", "edge://settings", "moz-extension://1/x", "resource://x/y",
  ])
  func `The browser's own pages name no screen`(url: String) throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/pay/card")
    browser.shows("B", url)
    #expect(browser.name() == "pay (masked)")
    browser.shows("A", "http://localhost/thanks")
    #expect(browser.name() == "thanks")
    browser.closes("B")
    browser.shows("A", url)
    #expect(browser.name() == "thanks")
    browser.closes("A")
    browser.shows("C", url)
    #expect(browser.name() == "")
  }

  @Test(arguments: [
    ("chrome://print/", "chrome"), ("about:blank", "about"), ("data:text/html,x", "data"),
    ("blob:http://localhost/1", "blob"), ("about:config", "about"),
  ])
  func `A mask on the former name of a page without one holds`(url: String, name: String) throws {
    var browser = try browser(masked: [name])
    browser.shows("A", "http://localhost/")
    browser.shows("B", url)
    #expect(browser.name() == "\(name) (masked)")
    browser.closes("A")
    #expect(browser.name() == "\(name) (masked)")
  }

  @Test func `A mask of a rule for the browser's own pages holds`() throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/")
    browser.shows("B", "chrome://settings/passwords")
    #expect(browser.name() == "settings (masked)")
  }

  @Test(arguments: [
    "view-source:http://localhost/pay/x", "about:reader?url=http%3A%2F%2Flocalhost%2Fpay%2Fx",
  ])
  func `A mask holds for a browser's page about the masked one`(url: String) throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/")
    browser.shows("B", url)
    #expect(browser.name() == "pay (masked)")
  }

  private static let addressless = [
    "about:blank", "about:srcdoc", "about:blank#x", "blob:http://localhost/1-2", "data:text/html,x",
    "about:blank?1",
  ]

  @Test(arguments: addressless)
  func `A window without an address keeps the name and the mask of its opener`(url: String) throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/pay/card")
    browser.shows("B", "", openedBy: "A")
    #expect(browser.name() == "pay (masked)")
    browser.shows("B", url, openedBy: "A")
    #expect(browser.name() == "pay (masked)")
    // The opener goes on, but the window still shows what it was opened with.
    browser.shows("A", "http://localhost/thanks")
    #expect(browser.name() == "pay (masked)")
    browser.shows("B", "http://localhost/receipt", openedBy: "A")
    #expect(browser.name() == "receipt")
    browser.closes("B")
    #expect(browser.name() == "thanks")
  }

  @Test(arguments: addressless)
  func `A page that loses its address keeps its name and mask`(url: String) throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/pay/card")
    browser.shows("A", url)
    #expect(browser.name() == "pay (masked)")
    browser.shows("A", "http://localhost/")
    browser.shows("A", url)
    #expect(browser.name() == "home")
  }

  @Test func `A window without an opener keeps the name of the page shown before`() throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/form", title: "Your PIN")
    browser.shows("B", "about:blank", title: "other")
    #expect(browser.name() == "pin (masked)")
    browser.shows("A", "http://localhost/thanks")
    #expect(browser.name() == "pin (masked)")
  }

  @Test func `A window whose opener becomes masked is masked`() throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/")
    browser.shows("B", "about:blank", openedBy: "A")
    #expect(browser.name() == "home")
    browser.shows("A", "http://localhost/pay/card")
    #expect(browser.name() == "pay (masked)")
  }

  @Test func `A window is named by its opener, and not by a page that was opened since`() throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/")
    browser.shows("B", "http://localhost/news")
    browser.shows("C", "about:blank", openedBy: "A")
    #expect(browser.name() == "home")
  }

  @Test func `A window of a window keeps the name of the first`() throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/pay/card")
    browser.shows("B", "about:blank", openedBy: "A")
    browser.shows("C", "blob:null/1", openedBy: "B")
    browser.closes("A")
    browser.closes("B")
    #expect(browser.name() == "pay (masked)")
  }

  @Test(arguments: [["A", "B", "C"], ["C", "B", "A"], ["B", "A", "C"]])
  func `Of pages that were there before, nobody knows the order`(order: [String]) throws {
    let targets = [
      "A": ("http://localhost/pay/card", nil as String?), "B": ("about:blank", "A"),
      "C": ("chrome://print/", nil),
    ]
    var browser = try browser(isListed: true)
    for id in order {
      guard let (url, opener) = targets[id] else { continue }
      browser.shows(id, url, openedBy: opener)
    }
    browser.tell(#"{"id":1,"result":{}}"#)
    #expect(browser.name() == "pay (masked)")
    browser.shows("D", "http://localhost/thanks")
    #expect(browser.name() == "thanks")
    browser.closes("D")
    #expect(browser.name() == "pay (masked)")
    browser.closes("A")
    browser.closes("B")
    #expect(browser.name() == "")
  }

  @Test(arguments: [true, false])
  func `Of several pages that were there before, a masked one decides`(isFirst: Bool) throws {
    var browser = try browser(isListed: true)
    if isFirst { browser.shows("A", "http://localhost/pay/card") }
    browser.shows("B", "http://localhost/news")
    if !isFirst { browser.shows("A", "http://localhost/pay/card") }
    #expect(browser.name() == "pay (masked)" && browser.pages.shown?.isListing == true)
    browser.tell(#"{"id":1,"result":{}}"#)
    #expect(browser.name() == "pay (masked)" && browser.pages.shown?.isListing == false)
    browser.closes("A")
    #expect(browser.name() == "news")
  }

  // MARK: Pages that failed

  private func answer(unreachable: String? = nil, _ url: String = "http://localhost/")
    -> PageMessages.Frames.Frame
  {
    .init(
      url: unreachable == nil ? url : "chrome-error://chromewebdata/", unreachableUrl: unreachable)
  }

  @Test func `A page that could not be loaded has a name of its own, and keeps its mask`() throws {
    var browser = try browser()
    let addresses = [
      ("http://localhost/", "@error"), ("http://localhost/pay/card", "@error/masked (masked)"),
    ]
    for (url, name) in addresses {
      browser.shows("A", url)
      #expect(browser.pages.shown?.isSure == false)
      #expect(browser.pages.unasked == ["A"])
      browser.pages.ask("A")
      browser.pages.answer(answer(unreachable: url), of: "A")
      #expect(browser.pages.shown?.isSure == true)
      #expect(browser.name() == name)
      // Another attempt: the name stays until the page says how it went.
      browser.shows("A", url)
      #expect(browser.name() == name)
      browser.pages.ask("A")
      browser.pages.answer(answer(), of: "A")
      #expect(browser.name() == (url.hasSuffix("card") ? "pay (masked)" : "home"))
    }
  }

  @Test func `An answer about a former address does not count`() throws {
    var browser = try browser()
    browser.shows("A", "http://localhost/a")
    browser.pages.ask("A")
    browser.shows("A", "http://localhost/b")
    browser.pages.answer(answer(unreachable: "http://localhost/a"), of: "A")
    #expect(browser.name() == "b")
    #expect(browser.pages.unasked == ["A"])
    // The document of a window that is just being opened says nothing.
    browser.pages.ask("A")
    for url in ["", ":", "about:blank"] { browser.pages.answer(answer(url), of: "A") }
    #expect(browser.pages.shown?.isSure == false)
  }

  @Test func `A crashed page is an error page until it is loaded again`() throws {
    var browser = try browser()
    let crash = #"{"method":"Target.targetCrashed","params":{"targetId":"A","status":"x"}}"#
    browser.shows("B", "http://localhost/menu")
    for (url, name) in [
      ("http://localhost/", "@error"), ("http://localhost/pay/card", "@error/masked (masked)"),
    ] {
      browser.shows("A", url)
      browser.tell(crash)
      #expect(browser.name() == name)
    }
    browser.shows("A", "http://localhost/pay/card")
    #expect(browser.name() == "pay (masked)")
  }

  @Test func `An error page without the address that was wanted keeps the mask of the former page`()
    throws
  {
    var browser = try browser()
    browser.shows("A", "http://localhost/pay/card")
    browser.shows("A", "chrome-error://chromewebdata/")
    #expect(browser.name() == "@error/masked (masked)")
    browser.pages.ask("A")
    browser.pages.answer(answer(unreachable: "http://localhost/"), of: "A")
    #expect(browser.name() == "@error")
  }

  // MARK: Bounds

  @Test func `The memory for targets is limited, and a masked page that may be shown decides`()
    throws
  {
    var browser = try browser()
    let long = String(repeating: "x", count: 300_000)
    browser.shows("A", "http://localhost/pay/card")
    for number in 0..<150 {
      browser.shows("\(number)", "http://localhost/\(long)", title: long)
      if number == 50 { browser.shows("P", "http://localhost/pay/\(long)?\(long)#\(long)") }
    }
    #expect(browser.pages.targets.count == BrowserPages.limit)
    #expect(browser.name() == "pay (masked)")
    #expect((browser.pages.shown?.url.utf8.count ?? 0) <= PageAddress.lengthLimit)
    #expect(browser.pages.shown?.title.count == 4096)
  }

  @Test func `A long query string does not hide the fragment`() throws {
    let long = String(repeating: "x", count: 300_000)
    let short = PageAddress.shortened("http://localhost/app?state=\(long)#/pay")
    #expect(short.hasSuffix("x#/pay"))
    #expect(short.utf8.count == PageAddress.lengthLimit + 5)
    #expect(PageAddress.shortened("http://localhost/a#b") == "http://localhost/a#b")
  }
}
