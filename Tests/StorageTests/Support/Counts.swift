import TouchModel

@testable import Storage

extension Store {
  func controls(of query: GridQuery) throws(StoreError) -> [SummedControls] {
    try counts(of: CountQuery(ControlKind.name, query.sessions, screen: query.screen)).counts
      .compactMap { SummedControls($0) }
  }

  func panels(of sessions: GridQuery.Sessions) throws(StoreError) -> [SummedPanel] {
    try counts(of: CountQuery(PanelKind.name, sessions, isByDay: true)).counts
      .compactMap { SummedPanel($0) }.sorted(by: SummedPanel.isBefore)
  }

  /// - Throws: `.damaged` if the counts contradict each other, which a store does not give.
  func flows(in span: TimeSpan) throws(StoreError) -> ReleasedFlows {
    guard let flows = ReleasedFlows(try counts(of: CountQuery(FlowKind.name, .span(span)))) else {
      throw StoreError(.damaged, message: "no flows")
    }
    return flows
  }
}
