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
    if !covers.isEmpty {
      facts.append(
        (
          "until then",
          "To keep most of these touches from the app, add the following to "
            + "/etc/touchgrid/touchgridd.toml, run 'sudo systemctl reload touchgridd', and enable "
            + "touchgrid-covers.service (docs/panel.md)."
        ))
      facts += covers.flatMap(\.tableLines).map { (name: "", value: $0) }
    }
    for wrong in wrongRanges {
      facts += [("wrong range", wrong.text), ("what to do", wrong.remedy)]
    }
    facts.append(("judged by", basis))
    for gap in gaps { facts.append(("not known", gap)) }
    return FactSheet(title: "\(title): \(summary)", facts: facts)
  }
}
