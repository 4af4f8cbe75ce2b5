internal import Heatmaps
internal import Text
internal import TouchModel

/// The results of controls for a terminal: a table for each layout of a screen, and sentences.
package struct ControlText {
  package let results: ScreenControlResults
  package let width: Int

  package init(_ results: ScreenControlResults, width: Int) {
    self.results = results
    self.width = width
  }

  package var lines: [String] {
    let (key, summed) = (results.key, results.summed)
    let title =
      "\(key.screen.printable()) on \(key.display.printable()): \(counted(results.set.controls.count, "control")), "
      + "\(counted(summed.sessions, "session", groupsDigits: true)) of \(groupedDigits(summed.view.sessions)) that showed the screen"
    let notes = results.notes
    return wrapped(title, to: width) + table + notes.flatMap { wrapped($0, to: width) }
  }

  private var table: [String] {
    TextTable(
      [
        .init("CONTROL", canShrink: true), .init("HITS", isNumber: true),
        .init("MISSED", isNumber: true), .init("HIT BY"), .init("WHAT TO CHANGE"),
      ],
      rows: results.results.map { result in
        [
          result.control.name.printable(), groupedDigits(UInt64(clamping: result.sums.hits.count)),
          groupedDigits(UInt64(result.missed.rounded())),
          result.hitShare?.words ?? "-", result.advice,
        ]
      }
    ).lines(width: width)
  }
}

extension ScreenControlResults {
  /// Explanations that the reader of the table needs.
  package var notes: [String] {
    var notes: [String] = []
    for result in results {
      guard let remedy = result.remedy, !remedy.blocked.isEmpty else { continue }
      let sides = ControlSums.Side.allCases.compactMap { side in
        remedy.blocked[side].map { "\(roundedDigits($0)) mm \(side.words)" }
      }
      notes.append(
        "\(result.control.name.printable()): there is room for only "
          + "\(sides.joined(separator: " and ")).")
    }
    let far = results.filter { $0.outOfReach ?? 0 > 0.5 && $0.visible >= 0.5 }.map {
      "\"\($0.control.name.printable())\""
    }
    if !far.isEmpty {
      notes.append(
        "Out of reach from a wheelchair (below 380 mm or above 1220 mm): "
          + "\(far.joined(separator: ", ")).")
    }
    for result in results where result.wasMasked {
      notes.append(
        "\(result.control.name.printable()): it was masked for some of the time; touches of that time "
          + "are missing.")
    }
    if results.contains(where: { !$0.sums.hasPlaces }) {
      notes.append(
        "Where the misses lie is not known. Touches that aim at nothing are among them.")
    }
    if set.pointSize == ControlSet.assumedPointSize {
      notes.append(
        "The size of the display is unknown: mm assume 96 points to the inch. Set width_mm and "
          + "height_mm in [[display]].")
    }
    return notes
  }
}

extension Share {
  /// The share with its interval, such as `93 % (91-95)`.
  package var words: String {
    let (low, high) = (Int((100 * low).rounded(.down)), Int((100 * high).rounded(.up)))
    return "\(Self.percent(value)) % (\(low)-\(high))"
  }

  /// The interval alone, for modelled shares: `92 to 97 %`, or `97 % or more`.
  package var range: String {
    let (low, high) = (Int((100 * low).rounded(.down)), Int((100 * high).rounded(.up)))
    return high > 99 ? "\(low) % or more" : "\(low) to \(high) %"
  }

  static func percent(_ share: Double) -> String {
    // Round down, so that 99.6 % does not become 100 %.
    let percent = share * 100
    return percent > 99 && percent < 99.95
      ? "\((percent * 10).rounded(.down) / 10)" : "\(Int(percent.rounded()))"
  }
}

extension ControlResult {
  /// The recommended change, in a few words.
  package var advice: String {
    switch verdict {
    case .missed:
      let advice =
        remedy.map { "\($0.words): \($0.hitShare.range)" }
        ?? "larger; where it is missed is unclear"
      return isDead ? "\(advice); \(responses?.deadWords ?? "")" : advice
    case .doubtful: return "perhaps larger; more days will tell"
    case .dead: return responses?.deadWords ?? ""
    case .slow: return responses?.slowWords ?? ""
    case .rage: return rageWords
    case .untouched:
      return sums.hits.count + sums.nearMisses.count == 0
        ? "nobody touched it" : "touched by chance only"
    case .covered:
      return visible < 0.5 ? "not on the display" : "masked, or under others: not judged"
    case .tooFew: return "too few touches to tell"
    case .fine: return (hitShare?.low ?? 1) < 0.95 ? "nothing so far" : "nothing"
    }
  }

  /// The number of sessions with rage taps, as text.
  package var rageWords: String {
    "rage taps in \(sums.rageSessions) of \(counted(screenSessions, "session"))"
  }
}
