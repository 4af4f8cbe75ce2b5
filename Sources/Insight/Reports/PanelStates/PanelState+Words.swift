internal import Text
internal import TouchModel

/// The state as text.
extension PanelState {
  /// The name of the touchscreen; its key if it has none. Printable.
  package var title: String { (name ?? key.device).printable(limit: 300) }

  /// The state without the name, such as `no fault found in 43 days`.
  package var summary: String {
    switch verdict {
    case .good:
      [days == 0 ? "too little was counted" : "no fault found in \(counted(days, "day"))", needs]
        .compactMap(\.self).joined(separator: "; ")
    case .faulty: counted(findings.count, "fault") + " found"
    case .untouched: "no touch was counted yet"
    }
  }

  /// The counts that are missing until a fault of each kind can be found; nil if none are missing.
  private var needs: String? {
    if days < Self.neededDays {
      let missing = counted(Self.neededDays - days, "more day")
      return "to find each kind takes \(missing) with \(Self.touchesOfDay) touches"
    }
    if !isRecent { return "little was counted since \(touched?.upperBound ?? "")" }
    return neededSwipes.map { "dead lines need at least \(counted($0, "more swipe"))" }
  }

  /// The data that the state is based on.
  package var basis: String {
    guard let touched else { return "no touch was counted yet" }
    let span =
      touched.lowerBound == touched.upperBound
      ? "on \(touched.lowerBound)" : "from \(touched.lowerBound) to \(touched.upperBound)"
    return "\(counted(days, "day")) with at least \(Self.touchesOfDay) touches, \(span); "
      + counted(touches, "touch", "touches", groupsDigits: true)
  }

  /// The unknown facts, as sentences.
  package var gaps: [String] {
    guard days >= Self.neededDays || verdict == .faulty else { return [] }
    let names = unknown.filter { $0 != .line }.map(\.name)
    let line =
      unknown.contains(.line)
      ? [
        "dead lines: too few fingers swipe across them. Test the panel by hand ('sudo touchgrid "
          + "panel test'), or let the app tag each session with its build: then touches tell, after "
          + "25 days"
      ] : []
    let kinds = names.isEmpty ? [] : ["\(names.joined(separator: ", ")): too little was counted"]
    return line + kinds + [unusedWords].compactMap(\.self)
  }

  /// The lines that are not judged, as text; nil if all are judged.
  private var unusedWords: String? {
    let unused = PanelCounts.Direction.allCases.map { ($0, self.unused($0).count) }
      .filter { $0.1 > 0 }
    guard !unused.isEmpty else { return nil }
    let seen = unused.map { direction, count in
      let name = (sight?.seen(direction) ?? direction) == .vertical ? "vertical" : "horizontal"
      return "\(count) of \(direction.lines) \(name) lines"
    }
    return "\(seen.joined(separator: " and ")): people hardly touch them or swipe across "
      + "them, so a fault there would not show"
  }

  /// The subject of a finding, as a sentence.
  package func headline(_ finding: PanelFinding) -> String {
    if let place = place(finding) {
      let words = place.words
      let (be, make) = place.lines.count == 1 ? ("is", "makes") : ("are", "make")
      let fault =
        switch finding.cause {
        case .splitLine: "probably \(make) two touches of one finger"
        case .deadBand: "\(be) probably dead or covered"
        default: "\(be) probably dead"
        }
      return "\(words.prefix(1).uppercased())\(words.dropFirst()), \(fault)."
    }
    return switch finding.kind {
    case .line: "A part of the panel is probably dead."
    case .drift: "Touches are reported beside where people touch."
    case .distortion: "Touches are reported as if the panel had been stretched or turned."
    case .jitter: "Fingers that rest are reported with more jitter than before."
    case .rate: "The panel reports moving fingers less often than before."
    case .ghosts: "The panel reports touches that nobody made."
    case .silence: "Nobody touches the panel at times when people used to."
    }
  }
}

extension PanelFinding {
  /// The least number of years of a healthy panel between two false alarms of a kind, at a
  /// confidence of 95 %. `Benchmarks/panel` simulates 300 years without a false alarm
  /// (docs/panel-rules.md), so the expected number in them is at most 3.
  package static let yearsPerFalseAlarm = 100

  /// The certainty of the finding, as a sentence.
  package var certainty: String {
    "A healthy panel has such a finding less than once in \(Self.yearsPerFalseAlarm) years."
  }

  /// The recommended action, as a sentence or two.
  package var remedy: String {
    switch cause {
    case .splitLine, .deadLine:
      "Clean the glass there and look for a crack. Restart the kiosk: many controllers calibrate "
        + "themselves then. If it stays, replace the panel; until then, put no button there."
    case .deadBand:
      "Remove what covers the glass there, look for a crack, and plug in the panel's cable again. "
        + "If it stays, replace the panel."
    case .calibration:
      "Look whether the panel or the display has moved in its frame. Then run "
        + "'sudo touchgrid calibrate' in front of it."
    case .power:
      "Try another power supply, earth the kiosk's frame, and keep chargers away from the panel."
    case .sun: "Shade the panel in these hours, or find what is switched on then."
    case .water:
      "Dry the panel and its edge. Who cleans it can run 'touchgrid pause' meanwhile."
    case .controller:
      "Plug in the panel's cable again, without a hub. Switch off the power saving of its USB port, "
        + "and update its firmware. If it stays, replace the controller."
    case .surface:
      "Clean and dry that part of the glass, look for a crack, and whether the frame presses on it."
    case .absent:
      "Touch the panel while 'touchgrid doctor --touch' runs. If no touch arrives, check its cable "
        + "and its power. If the place was closed, there is nothing to do."
    }
  }
}

extension PanelFinding.Kind {
  /// The name of the fault that is looked for.
  fileprivate var name: String {
    switch self {
    case .line: "dead lines"
    case .drift: "drift of the calibration"
    case .distortion: "distortion of the calibration"
    case .jitter: "jitter"
    case .rate: "the report rate"
    case .ghosts: "touches that nobody made"
    case .silence: "silence"
    }
  }
}
