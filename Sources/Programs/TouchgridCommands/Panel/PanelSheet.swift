import Reports
import TouchModel

extension PanelState {
  /// The state for a terminal.
  var sheet: FactSheet {
    var facts: [(name: String, value: String)] = []
    for finding in findings {
      facts += [
        ("fault", headline(finding)), ("why", finding.text), ("how sure", finding.certainty),
        ("what to do", finding.remedy),
      ]
    }
    for wrong in wrongRanges {
      facts += [("wrong range", wrong.text), ("what to do", wrong.remedy)]
    }
    facts.append(("judged by", basis))
    for gap in gaps { facts.append(("not known", gap)) }
    return FactSheet(title: "\(title): \(summary)", facts: facts)
  }
}
