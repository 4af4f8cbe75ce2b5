import Testing

@testable import TouchgridFollow

/// No change of naming takes a mask off a page that had one.
@Suite struct MaskedNamesTests {
  private func seen(_ url: String, failed: Bool = false, over covers: [String] = []) -> Observation
  {
    var seen = Observation(url: url)
    seen.hasFailed = failed
    seen.covers = covers.map { Observation(url: $0) }
    return seen
  }

  @Test func `A mask on a folded name covers the names that were folded into it`() throws {
    let rules = try (0...2).map {
      try ScreenRule(url: "/lovelace/\($0)", .screen(name: "lovelace/\($0)", isMasked: false))
    }
    let view = seen("http://localhost/lovelace/2")
    var names = ScreenNames(rules: rules)
    #expect(names.name(view, at: 0) == .screen("lovelace/2", isMasked: false))
    names = ScreenNames(rules: rules, masked: ["lovelace/:n"])
    #expect(names.name(view, at: 0) == .screen("lovelace/:n", isMasked: true))
    names = ScreenNames(rules: rules, masked: ["lovelace/:n", "lovelace/2"])
    #expect(names.name(view, at: 0) == .screen("lovelace/2", isMasked: true))
    // Of a mask of a rectangle and one of a screen, that of the screen holds.
    names = ScreenNames(
      rules: rules, masked: ["lovelace/:n", "lovelace/2"], partlyMasked: ["lovelace/2"])
    #expect(names.name(view, at: 0) == .screen("lovelace/:n", isMasked: true))
    var file = ScreenNames(
      rules: [try ScreenRule(url: "/7.html", .screen(name: "seven", isMasked: false))],
      masked: [":n"])
    #expect(file.maskedName(seen("http://localhost/7.html")) == ":n")
  }

  @Test func `A mask on the name of all further screens stays on them`() {
    var names = ScreenNames(masked: ["other"])
    for index in 0..<ScreenNames.limit {
      let word = String(index, radix: 26).map { String($0) + "x" }.joined()
      _ = names.name(seen("http://localhost/\(word)"), at: 0)
    }
    for time in [0, 2 * ScreenNames.memory] {
      #expect(
        names.name(seen("http://localhost/further"), at: time) == .screen("other", isMasked: true))
    }
  }

  @Test func `A page that could not be loaded keeps every mask of the page that was wanted`() throws
  {
    let rules = [try ScreenRule(url: "/pay", .screen(name: "pay", isMasked: true))]
    let masks: [(String, Set<String>, Set<String>, ScreenNames.Answer)] = [
      ("/a", [], [], .screen("@error", isMasked: false)),
      ("/pay", [], [], .screen("@error/masked", isMasked: true)),
      ("/a", ["a"], ["a"], .screen("@error/masked", isMasked: true)),
      ("/a", ["error"], [], .screen("error", isMasked: true)),
      ("/a", ["@error"], ["@error"], .screen("@error", isMasked: true)),
      ("/pay", ["@error"], ["@error"], .screen("@error/masked", isMasked: true)),
    ]
    for (path, masked, partly, answer) in masks {
      var names = ScreenNames(rules: rules, masked: masked, partlyMasked: partly)
      #expect(names.name(seen("http://localhost\(path)", failed: true), at: 0) == answer)
    }
  }

  @Test(arguments: ["@error", "@error/masked", "%40error", "@error/masked/", "%40error%2Fmasked"])
  func `No path makes the name of a page that could not be loaded`(path: String) throws {
    let rules = [
      [], [try ScreenRule(url: "/:name", .screen(name: ":name", isMasked: false))],
      [try ScreenRule(url: "/@error/:name", .screen(name: "@error/:name", isMasked: false))],
    ]
    for rules in rules {
      var names = ScreenNames(rules: rules)
      guard case .screen(let name, false) = names.name(seen("http://localhost/\(path)"), at: 0)
      else {
        Issue.record("\(path) has no name")
        continue
      }
      #expect(name != "@error" && name != "@error/masked")
    }
    #expect(throws: ScreenRule.Refusal.self) {
      try ScreenRule(url: "/a", .screen(name: "@error", isMasked: false))
    }
  }

  @Test func `Of pages that may be shown instead, a masked one decides`() throws {
    let rules = [
      try ScreenRule(url: "/pay", .screen(name: "pay", isMasked: true)),
      try ScreenRule(url: "/saver", .ignored),
    ]
    var names = ScreenNames(rules: rules)
    let pay = "http://localhost/pay"
    #expect(
      names.name(seen("http://localhost/a", over: [pay]), at: 0) == .screen("pay", isMasked: true))
    #expect(
      names.name(seen("http://localhost/saver", over: [pay]), at: 0)
        == .screen("pay", isMasked: true))
    #expect(
      names.name(seen("http://localhost/saver", over: ["http://localhost/a"]), at: 0) == .ignored)
  }
}
