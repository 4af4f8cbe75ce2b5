public import TouchModel

/// The counts of a session by kind.
extension SessionRecord {
  public var controls: [ControlCounts] { changedCounts.compactMap { ControlCounts($0) } }
  public var panels: [PanelRecord] { changedCounts.compactMap { PanelRecord($0) } }
  /// nil if the session has none.
  public var flow: FlowCounts? {
    dayCounts.isEmpty
      ? nil : FlowCounts(dayCounts.map { SummedCounts($0.subject, sessions: 1, $0.numbers) })
  }
}

extension FlowCounts {
  /// The counts of a single session, in the form of its record.
  public var ofSession: [SubjectCounts] { summed.map { SubjectCounts($0.subject, $0.numbers) } }
}
