package import TouchModel

/// The gestures that people made on screens. `docs/gestures.md` has the rules.
package struct GestureReport: Sendable {
  /// The screens with at least one gesture.
  package let screens: [SummedGestures]

  package init(_ screens: [SummedGestures]) {
    self.screens = screens.filter { screen in Gesture.allCases.contains { screen.times($0) > 0 } }
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
    }
  }
}
