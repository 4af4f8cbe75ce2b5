/// A gesture that is counted; `docs/gestures.md` has the rules. The store keeps the numbers in the
/// order of the cases.
public enum Gesture: String, Sendable, CaseIterable {
  case tap, doubleTap, longPress, swipeLeft, swipeRight, swipeUp, swipeDown, drag, pinch, spread
  case turn
  /// A tap of several fingers at once.
  case fingersTap
  /// A contact that rests at an edge while others act: a hand that holds the device.
  case gripLeft, gripRight, gripTop, gripBottom

  /// The minimum number of touches in it.
  var fewestTouches: Int64 {
    switch self {
    case .doubleTap, .pinch, .spread, .turn, .fingersTap: 2
    case .tap, .longPress, .swipeLeft, .swipeRight, .swipeUp, .swipeDown, .drag, .gripLeft,
      .gripRight, .gripTop, .gripBottom:
      1
    }
  }
}

/// The limits by which gestures are told. Lengths are in mm. `docs/gestures.md` names the sources.
enum GestureRule {
  /// The size of a point, as CSS defines it. A point of Apple is 1/132 or 1/163 inch.
  private static let point = 25.4 / 96

  /// The time from which on a touch that stays is a long press, and up to which one that moves may
  /// be a swipe, in µs: the `minimumPressDuration` of Apple's `UILongPressGestureRecognizer`, and
  /// Android's long press until version 11. Since then it is 400 ms (`ViewConfiguration`).
  static let pressTime: Int64 = 500_000
  /// How far a long press may move across or down: the 10 points of Apple's `allowableMovement`.
  static let pressExtent = 10 * point
  /// How far a tap may move across or down, as for controls. Recognisers that answer while the
  /// finger is down allow less: Android 8 dp (1.3 mm), Chromium 15 points (4 mm).
  static let tapExtent = ControlTally.tapExtent
  /// The time from the end of a tap to the beginning of the next of a double tap, in µs: Android's
  /// `DOUBLE_TAP_MIN_TIME` and `DOUBLE_TAP_TIMEOUT`. What comes sooner is a contact that the panel
  /// dropped and reported anew.
  static let doubleTapPause: ClosedRange<Int64> = 40_000...300_000
  /// The largest distance of these taps, as for rage taps: between Chromium's 20 points (5 mm) and
  /// Android's 100 dp (16 mm), which would take neighbouring keys for one.
  static let doubleTapDistance = ControlTally.rageDistance
  /// The shortest swipe. Recognisers have no such length; Android's fling has a least speed instead.
  static let swipeLength = 40 * point
  /// The least share that the way from the first point of a swipe to its last has of the diagonal
  /// of the box around its path. Whatever goes back and forth has less.
  static let straightness = 0.8
  /// By how much the distance of two fingers has to change for a pinch or spread: Android's
  /// `ScaleGestureDetector` takes twice the touch slop, 16 dp. libinput tells a pinch from a swipe
  /// after 1.5 mm.
  static let growth = 16 * 25.4 / 160
  /// How far from an edge a grip may begin: the middle of a thumb that reaches around it.
  static let edge = 10.0
  /// The cosine of the smallest turn, 20 degrees. Hands that pinch turn by less.
  static let turnCosine = 0.9396926
  /// Fingers belong together if they were on the glass at once for at least this share of the time
  /// from the first touch-down to the last touch-up. Recognisers that answer at once cannot use
  /// this; it keeps a hand that rests on the glass apart from fingers that tap beside it.
  static let overlap = 1.0 / 3
}
