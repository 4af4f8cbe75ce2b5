import Reports
import Text
import TouchModel

/// The state of touchscreens as metrics. docs/metrics.md lists them.
struct PanelMetrics {
  let states: [PanelState]

  init(_ states: [PanelState]) {
    // Two panels of the same device would have the same labels. Use the later one.
    var last: [ExactName: Int] = [:]
    for (index, state) in states.enumerated() {
      last[ExactName(OpenMetrics.label(state.key.device))] = index
    }
    self.states = last.values.sorted().map { states[$0] }
  }

  var lines: [String] {
    var metrics = OpenMetrics()
    metrics.add(
      .gauge, "touchgrid_panel_days", "Days with enough touches to count.",
      states.map { .init(Int64($0.days), (name: "device", value: $0.key.device)) })
    metrics.add(
      .gauge, "touchgrid_panel_faults", "Faults that were found, by each kind that can be judged.",
      states.flatMap { state in
        PanelFinding.Kind.allCases.filter { !state.unknown.contains($0) }.map { kind in
          OpenMetrics.Sample(
            Int64(state.findings.count { $0.kind == kind }),
            (name: "device", value: state.key.device), (name: "kind", value: kind.rawValue))
        }
      })
    metrics.end()
    return metrics.lines
  }
}
