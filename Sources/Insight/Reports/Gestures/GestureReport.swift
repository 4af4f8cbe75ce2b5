package import TouchModel

/// The gestures that people made on screens. `docs/gestures.md` has the rules.
package struct GestureReport: Sendable {
  package struct Screen: Sendable {
    package let all: SummedGestures
    /// Those that began on a control, of most sessions first.
    package let controls: [SummedGestures]
  }

  /// The screens with at least one gesture.
  package let screens: [Screen]

  package init(_ gestures: [SummedGestures]) {
    let made = gestures.filter { !$0.made.isEmpty }
    let controls = Dictionary(
      grouping: made.filter { $0.control != nil }.sorted { $0.sessions > $1.sessions }, by: \.key)
    screens = made.filter { $0.control == nil }.map { screen in
      Screen(all: screen, controls: controls[screen.key, default: []])
    }
  }
}

extension SummedGestures {
  /// The gestures that were made, those of most sessions first.
  var made: [Gesture] {
    Gesture.allCases.filter { times($0) > 0 }.sorted { left, right in
      (sessions(right), times(right)) < (sessions(left), times(left))
    }
  }
}

extension Gesture {
  var words: String {
    switch self {
    case .tap: "tap"
    case .doubleTap: "double tap"
    case .longPress: "long press"
    case .swipeLeft: "swipe left"
    case .swipeRight: "swipe right"
    case .swipeUp: "swipe up"
    case .swipeDown: "swipe down"
    case .drag: "drag"
    case .pinch: "pinch"
    case .spread: "spread"
    case .turn: "turn"
    case .fingersTap: "tap of several fingers"
    case .gripLeft: "grip at the left edge"
    case .gripRight: "grip at the right edge"
    case .gripTop: "grip at the upper edge"
    case .gripBottom: "grip at the lower edge"
    }
  }
}
