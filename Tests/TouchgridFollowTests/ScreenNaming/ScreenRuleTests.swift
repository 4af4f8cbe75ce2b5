import Testing

@testable import TouchgridFollow

@Suite struct ScreenRuleTests {
  private func answer(_ rules: [ScreenRule], _ seen: Observation) -> ScreenNames.Answer {
    var names = ScreenNames(rules: rules)
    return names.name(seen, at: 0)
  }

  private func screen(_ pattern: String, as name: String? = nil, _ url: String) throws -> String? {
    let rule = try ScreenRule(url: pattern, .screen(name: name, isMasked: false))
    guard case .screen(let name, _)? = rule.match(Observation(url: url), PageAddress(url))
    else {
      return nil
    }
    return name
  }

  @Test func `All pages of a rule are one screen`() throws {
    for id in ["1", "pears", "a%20b"] {
      #expect(try screen("/product/:id", "http://x.example/product/\(id)?q=\(id)") == "product")
    }
    #expect(try screen("/product/:id", "http://x.example/product") == nil)
    #expect(try screen("/product/:id", "http://x.example/product/1/photos") == nil)
    #expect(try screen("/product/:id/", "http://x.example/product/1") == "product")
    #expect(try screen("/:kind/:id", as: "goods/:kind", "http://x.example/a/b") == "goods/a")
    #expect(try screen("/a/*", "http://x.example/a") == "a")
    #expect(try screen("/a/*", "http://x.example/a/b/c") == "a")
    #expect(try screen("/pay-*/x", "http://x.example/pay-1/x") == "x")
  }

  @Test func `Hosts, schemes and fragments are compared if the pattern has them`() throws {
    #expect(try screen("shop.example/pay", "https://shop.example/pay") == "pay")
    #expect(try screen("Shop.Example/pay", "https://SHOP.example/pay") == "pay")
    #expect(try screen("shop.example/pay", "https://evil.example/pay") == nil)
    #expect(try screen("shop.example/pay", "https://shop.example.evil.example/pay") == nil)
    #expect(try screen("*.example/pay", "https://shop.example/pay") == "pay")
    #expect(try screen("https://shop.example/pay", "http://shop.example/pay") == nil)
    #expect(try screen("localhost:8080/pay", "http://localhost/pay") == nil)
    #expect(try screen("/app#/cart/:id", "http://localhost/app#!/cart/9") == "app/cart")
    #expect(try screen("/app#/cart/:id", "http://localhost/app") == nil)
    #expect(try screen("/app", "http://localhost/app#/cart/9") == "app")
    // A user name that looks like the host must not match.
    #expect(try screen("shop.example/pay", "https://shop.example@evil.example/pay") == nil)
  }

  @Test(arguments: [
    ("/app#/pay", "http://x.example/app#/pay?amount=12"),
    ("/pay", "https://x.example/pay;jsessionid=1"),
    ("shop.example:443/pay", "http://shop.example:443/pay"),
    ("https://shop.example:443/pay", "https://shop.example/pay"),
    ("shop.example/pay", "https://shop.example./pay"),
    ("shop.example./pay", "https://shop.example/pay"),
    ("/pay/*", "http://x.example/pay/\u{301}x"), ("/caf%C3%A9", "http://x.example/café"),
    ("/app#/pay", "http://x.example/app?state=\(String(repeating: "x", count: 9000))#/pay"),
  ])
  func `A masked page is masked in every spelling of its address`(pattern: String, url: String)
    throws
  {
    let rules = [
      try ScreenRule(url: pattern, .screen(name: "pay", isMasked: true)),
      try ScreenRule(url: "/elsewhere", .screen(name: "pay", isMasked: false)),
    ]
    #expect(answer(rules, Observation(url: url)) == .screen("pay", isMasked: true))
    // A mask applies to all pages with the same name.
    #expect(
      answer(rules, Observation(url: "http://x.example/elsewhere"))
        == .screen("pay", isMasked: true))
  }

  @Test func `Addresses of other schemes match only patterns with a scheme`() throws {
    #expect(try screen("/:kind/:id", as: "x", "data:text/html,secret") == nil)
    #expect(try screen("/*", as: "x", "javascript:a/b") == nil)
    #expect(try screen("chrome://*/*", as: "x", "chrome://settings/a") == "x")
    // A percent-encoded star or colon in a pattern stands for the character itself.
    #expect(try screen("/%2A", as: "x", "http://x.example/a") == nil)
    #expect(try screen("/%3Aid", as: "x", "http://x.example/:id") == "x")
  }

  @Test func `The first rule that matches applies`() throws {
    let rules = [
      try ScreenRule(url: "/pay/*", .screen(name: nil, isMasked: true)),
      try ScreenRule(app: "chromium*", title: "*Loading*", .ignored),
      try ScreenRule(app: "chromium*", .screen(name: "browser", isMasked: false)),
    ]
    #expect(
      answer(rules, Observation(url: "http://x.example/pay/card", app: "chromium"))
        == .screen("pay", isMasked: true))
    #expect(answer(rules, Observation(app: "chromium-browser", title: "Loading…")) == .ignored)
    #expect(
      answer(rules, Observation(app: "chromium-browser", title: "Till"))
        == .screen("browser", isMasked: false))
    #expect(answer(rules, Observation(app: "sway")) == .screen("sway", isMasked: false))
  }

  @Test(arguments: [
    (nil as String?, nil as String?, "url is missing: a rule needs url, app or title"),
    ("", nil, "url must be 1 to 1,024 bytes long"),
    (
      "shop.example", nil,
      "url must have a path after the host, before any #: shop.example/* for all pages, "
        + "shop.example/pay for one"
    ),
    ("/a?b=1", nil, "url must not contain a ?, because rules ignore query strings"),
    ("/:a/:a", nil, "url has the parameter :a twice"),
    ("/a#/b?c", nil, "url must not contain a ?, because rules ignore query strings"),
    (
      "user@shop.example/pay", nil,
      "url must have a host as browsers write it: without a user name, with xn--… for non-ASCII letters"
    ),
    (
      "http*://shop.example/pay", nil,
      "url must begin with a path, a host, or a scheme such as https://"
    ),
    (
      "/:kind/:id", nil,
      "screen is missing: the rule has no url with a fixed part that could be the name"
    ),
    ("/a", "other", "screen must be 1 to 125 bytes of printable text, and not \"other\""),
    ("/a", "", "screen must be 1 to 125 bytes of printable text, and not \"other\""),
    ("/a", "a\u{1b}", "screen must be 1 to 125 bytes of printable text, and not \"other\""),
    (
      "/:", nil,
      "url has the invalid segment :: a parameter is a colon and letters, digits or _, such as :id"
    ),
    ("/:a", "x/:b", "screen has :b, but the url has no such parameter"),
  ])
  func `Invalid rules are refused with a reason`(url: String?, name: String?, message: String) {
    let error = #expect(throws: ScreenRule.Refusal.self) {
      _ = try ScreenRule(url: url, .screen(name: name, isMasked: false))
    }
    #expect(error.map { "\($0.key) \($0.reason)" } == message)
  }

  @Test func `A glob matches the whole text`() {
    for (pattern, text, matches) in [
      ("", "", true), ("*", "", true), ("a*", "ab", true), ("a*", "ba", false), ("*a", "aba", true),
      ("a*a", "a", false), ("a*a", "aa", true), ("*b*", "abc", true), ("a*b*c", "a-b-b-c", true),
      ("a*b*c", "acb", false), ("**", "x", true),
    ] { #expect(Glob(pattern).matches(text) == matches, "\(pattern) \(text)") }
    // Matching does not take exponential time.
    #expect(
      !Glob(String(repeating: "*a", count: 200) + "b").matches(String(repeating: "a", count: 5000)))
  }
}
