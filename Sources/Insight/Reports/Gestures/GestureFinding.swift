internal import TouchModel

/// What people try, as findings.
extension SummedGestures {
  /// A gesture is common if certainly more than this share of the sessions that showed the screen
  /// made it.
  private static let leastShare = 0.05

  func isCommon(_ gesture: Gesture) -> Bool {
    let all = Double(view.sessions)
    return all >= ControlResult.fewest
      && Share(Double(sessions(gesture)), of: all, z: ControlResult.safeZ).low > Self.leastShare
  }

  /// Whether people certainly do something else than tap.
  var isTried: Bool { Gesture.allCases.contains { $0 != .tap && isCommon($0) } }

  /// Whether the screen certainly changed after fewer than half of these gestures.
  /// - Returns: nil if too few were observed to tell.
  func isDead(_ gesture: Gesture) -> Bool? {
    let observed = Double(observed(gesture))
    guard observed >= ControlResult.fewest else { return nil }
    return Share(Double(unanswered(gesture)), of: observed, z: ControlResult.safeZ).low > 0.5
  }

  /// Returns the gesture that is a finding, the one of most sessions: one to which nothing responds
  /// or, if too few were observed to tell, one that people do not make where a tap is enough.
  fileprivate func finding(among gestures: [Gesture]) -> Gesture? {
    gestures.filter { isCommon($0) && isDead($0) ?? $0.isSpecial }
      .max { sessions($0) < sessions($1) }
  }
}

extension Gesture {
  /// Gestures of which only one is a finding about a place, because they mean the same.
  fileprivate static let alike: [[Gesture]] = [
    [.swipeLeft, .swipeRight, .swipeUp, .swipeDown, .drag], [.pinch, .spread], [.turn],
    [.longPress], [.doubleTap], [.fingersTap],
  ]
  fileprivate static let grips: [Gesture] = [.gripLeft, .gripRight, .gripTop, .gripBottom]

  /// Whether people make it only if a tap is not enough for them. Swipes scroll, and double taps do
  /// what taps do.
  fileprivate var isSpecial: Bool { [.pinch, .spread, .turn, .longPress].contains(self) }

  /// What people did, after "people", with `what`.
  fileprivate func sentence(_ what: String) -> String {
    switch self {
    case .tap: "tapped \(what)"
    case .doubleTap: "tapped \(what) twice"
    case .longPress: "pressed \(what) for half a second or longer"
    case .swipeLeft: "swiped \(what) to the left"
    case .swipeRight: "swiped \(what) to the right"
    case .swipeUp: "swiped \(what) upwards"
    case .swipeDown: "swiped \(what) downwards"
    case .drag: "dragged \(what)"
    case .pinch: "pinched \(what)"
    case .spread: "spread two fingers on \(what)"
    case .turn: "turned two fingers on \(what)"
    case .fingersTap: "tapped \(what) with several fingers"
    case .gripLeft: "held the left edge of \(what)"
    case .gripRight: "held the right edge of \(what)"
    case .gripTop: "held the upper edge of \(what)"
    case .gripBottom: "held the lower edge of \(what)"
    }
  }

  /// What to do about it, if it is not known whether the screen responds.
  fileprivate var advice: String {
    switch self {
    case .longPress: "See whether it shows at once that it was touched."
    case .gripLeft, .gripRight, .gripTop, .gripBottom:
      "Keep buttons away from there, and such touches off the maps (edge_grips = false)."
    default: "See whether it does what they expect."
    }
  }
}

extension Finding {
  /// Returns the findings about gestures, those that concern most sessions first.
  static func gestures(_ report: GestureReport) -> [Finding] {
    let found = report.screens.flatMap { screen in
      Gesture.alike.flatMap { gestures -> [Finding] in
        let ofControls = screen.controls.compactMap { control in
          control.finding(among: gestures).map { finding($0, control) }
        }
        // Most of them began on no control: the screen itself seems to invite them.
        guard let gesture = screen.all.finding(among: gestures), gesture.isSpecial,
          gesture != .longPress, ofControls.isEmpty,
          screen.controls.reduce(0, { $0 &+ $1.times(gesture) }) < screen.all.times(gesture) / 2
        else { return ofControls }
        return [finding(gesture, screen.all)]
      }
    }
    return (found + grips(report)).sorted { $0.sessions > $1.sessions }
  }

  /// The common grips: for each display and edge, the screen with most.
  private static func grips(_ report: GestureReport) -> [Finding] {
    let displays = Dictionary(grouping: report.screens.map(\.all), by: \.key.display)
    return displays.values.flatMap { screens in
      Gesture.grips.compactMap { grip in
        screens.filter { $0.isCommon(grip) }.max { $0.sessions(grip) < $1.sessions(grip) }
          .map { finding(grip, $0) }
      }
    }
  }

  private static func finding(_ gesture: Gesture, _ place: SummedGestures) -> Finding {
    let screen = quoted(place.key.screen)
    let what = place.control.map { "\(quoted($0)) on \(screen)" } ?? screen
    let (sessions, all) = (place.sessions(gesture), place.view.sessions)
    let (unanswered, observed) = (place.unanswered(gesture), place.observed(gesture))
    let text =
      "In \(sessions) of \(all) sessions people \(gesture.sentence(what))"
      + (place.isDead(gesture) == true
        ? ", and nothing changed after \(unanswered == observed ? "all" : "\(unanswered) of the") "
          + "\(observed) times that were observed. "
          + "Let it react, or make it look as if it did not."
        : ". \(gesture.advice)")
    return Finding(
      kind: .gesture, key: place.key, controls: [place.control].compactMap(\.self), text: text,
      sessions: sessions)
  }
}
