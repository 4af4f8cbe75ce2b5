import Testing

@testable import TouchgridFollow

@Suite struct RuleSuggestionsTests {
  private func rules(_ seen: [Observation]) -> [String] {
    var suggestions = RuleSuggestions()
    for sighting in seen { suggestions.add(sighting) }
    return suggestions.text.split(separator: "\n\n").map(String.init)
  }

  private func pages(_ paths: [String]) -> [Observation] {
    paths.map { Observation(url: "http://localhost\($0)") }
  }

  @Test func `Pages that differ only in a number share a rule`() {
    #expect(
      rules(pages(["/product/1?ref=a", "/product/2", "/product/2", "/menu", "/"])) == [
        "[[rule]]  # 1 page\nurl = \"/\"\nscreen = \"home\"",
        "[[rule]]  # 1 page\nurl = \"/menu\"\nscreen = \"menu\"",
        "[[rule]]  # 2 pages\nurl = \"/product/:id\"\nscreen = \"product\"\n"
          + "# If 1 and 2 are screens and not items, use these rules instead:\n"
          + "# [[rule]]\n# url = \"/product/1\"\n# screen = \"product/1\"\n"
          + "# [[rule]]\n# url = \"/product/2\"\n# screen = \"product/2\"",
      ])
  }

  @Test func `Only a few small numbers may be screens, and error pages are none`() {
    #expect(rules(pages((1...7).map { "/product/\($0)" })).allSatisfy { !$0.contains("If") })
    #expect(rules(pages(["/order/1", "/order/204"])).allSatisfy { !$0.contains("If") })
    var failed = Observation(url: "http://localhost/pay")
    failed.hasFailed = true
    #expect(rules([failed]).isEmpty)
  }

  @Test func `A part of the path with many values becomes a parameter`() {
    let many = rules(pages("abcdefgh".map { "/shop/\($0)/photos/\($0)" }))
    #expect(
      many == ["[[rule]]  # 8 pages\nurl = \"/shop/:id/photos/:id2\"\nscreen = \"shop/photos\""])
    #expect(rules(pages("abc".map { "/shop/\($0)" })).count == 3)
  }

  @Test func `Pages where people type secrets are masked`() {
    let found = rules(pages(["/checkout/Payment", "/menu"]))
    #expect(found.filter { $0.contains("mask = true") }.count == 1)
    #expect(found[0].contains("screen = \"checkout/Payment\"\nmask = true"))
    // Pages to mask keep their own rules, even if there are so many pages that the others share
    // one.
    let many = rules(
      pages(["/menu", "/cart", "/help", "/info", "/start", "/shopping", "/e-pin", "/pay"]))
    #expect(many.filter { $0.contains("mask = true") }.count == 2)
    #expect(many.count == 3)
  }

  @Test func `Rules name the host if there are several`() {
    let found = rules(pages(["/menu"]) + [Observation(url: "https://shop.example/menu")])
    #expect(
      found.map { $0.split(separator: "\n")[1] } == [
        "url = \"/menu\"", "url = \"shop.example/menu\"",
      ])
  }

  @Test func `Each program gets a rule, and observations with a name get none`() {
    let seen = [
      Observation(app: "kodi", title: "a"), Observation(app: "kodi", title: "b"),
      Observation(name: "x"),
    ]
    #expect(rules(seen) == ["[[rule]]\napp = \"kodi\"\nscreen = \"kodi\""])
  }

  @Test(arguments: [
    "/a%20b/c%2Fd", "/x%22y", "/%3Aid", "/*", "/%5C", "/%C3%A9t%C3%A9", "/%E2%80%AE", "/a;b",
    "/%25", "/%00",
    "/other",
  ])
  func `Every suggested rule is valid and matches its page`(path: String) throws {
    let seen = Observation(url: "http://localhost\(path)")
    let found = try #require(rules([seen]).first).split(separator: "\n")
    let values = found.dropFirst().map { line in
      String(line.split(separator: "\"", maxSplits: 1)[1].dropLast()).replacing("\\\"", with: "\"")
        .replacing("\\\\", with: "\\")
    }
    let rule = try ScreenRule(url: values[0], .screen(name: values[1], isMasked: false))
    var names = ScreenNames(rules: [rule])
    #expect(names.name(seen, at: 0) == .screen(values[1], isMasked: false))
  }

  @Test func `The number of remembered pages is limited`() {
    let found = rules(pages((0..<20_000).map { "/page/x\($0)y" }))
    #expect(found.count == 1)
    #expect(found[0].contains("# 10000 pages"))
  }
}
