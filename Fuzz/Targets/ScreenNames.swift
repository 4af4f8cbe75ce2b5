import Text

@testable import TouchModel
@testable import TouchgridFollow

/// Fuzzes screen names. The lines are the URL, app, title and screen of a rule, then a masked name,
/// then URL, app and title of each observation. An empty line stands for no value.
func fuzzScreenNames(_ bytes: [UInt8]) {
  var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }[...]
  func next() -> String? { lines.popFirst().flatMap { $0.isEmpty ? nil : $0 } }
  let (url, app, title, screen, masked) = (next(), next(), next(), next(), next())
  var rules: [ScreenRule] = []
  for isMasked in [true, false] {
    do throws(ScreenRule.Refusal) {
      rules.append(
        try ScreenRule(url: url, app: app, title: title, .screen(name: screen, isMasked: isMasked)))
    } catch {
      must(!error.reason.isEmpty, "a refusal has words")
    }
  }
  var options = ScreenNames.Options()
  options.fragment = bytes.count % 2 == 0
  options.query = ["view"]
  let others = masked.map { Set([$0]) } ?? []
  var suggestions = RuleSuggestions()
  var names = ScreenNames(rules: rules, options: options, masked: others)
  while !lines.isEmpty {
    let seen = Observation(url: next(), app: next(), title: next())
    guard case .screen(let name, let isMasked) = names.name(seen, at: 0) else { continue }
    must(name.asName != nil, "a name is one")
    must(
      names.name(seen, at: 0) == .screen(name, isMasked: isMasked),
      "what is seen again has its name")
    must(
      isMasked == (others.contains(name) || rules.contains { $0.maskedName == name }),
      "masks are those of rules and of others")
    suggestions.add(seen)
  }
  must(
    suggestions.text.unicodeScalars.allSatisfy { $0.isShown || $0 == "\n" },
    "proposals are printable")
}
