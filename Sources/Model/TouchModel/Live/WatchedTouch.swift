/// A touch that is down and may be shown.
struct WatchedTouch: Sendable {
  /// The identity in the recorder.
  let touch: TouchID
  let device: String
  let placement: Placement
  private let locator: Locator
  let began: Timestamp
  let preexisting: Bool
  /// The screen that was shown when the touch began, by the names received so far.
  var screen: String
  var path: MaskPath
  var block: Block
  /// The identity in the live stream; nil until the touch is first shown. If a touch was down
  /// before the feed began and a late name may still mask it, it is shown only once it moves.
  var shownAs: TouchID?

  var point: Point { path.last }

  init(
    _ update: TouchUpdate, device: String, placement: Placement, at time: Timestamp, screen: String,
    masks: borrowing Masks
  ) {
    locator = Locator(placement)
    let location = locator.locate(rawX: update.x, rawY: update.y)
    touch = update.touch
    self.device = device
    self.placement = placement
    began = time
    preexisting = update.preexisting
    self.screen = screen
    path = MaskPath(
      at: location.point, candidates: masks.candidates(on: placement.display))
    block = location.block
  }

  init(_ down: SessionRecorder.ActiveContact, device: String, screen: String) {
    let trace = down.trace
    touch = trace.touch
    self.device = device
    placement = trace.placement
    locator = trace.locator
    began = trace.began
    preexisting = down.isPreexisting
    self.screen = screen
    path = trace.path
    block = trace.placement.geometry.block(at: trace.path.last)
  }

  mutating func move(to update: TouchUpdate) {
    let location = locator.locate(rawX: update.x, rawY: update.y)
    path.move(to: location.point)
    block = location.block
  }

  func isMasked(by masks: borrowing Masks) -> Bool {
    masks.cover(screen: screen, display: placement.display, path: path)
  }

  /// Returns the touch as clients see it; nil if it has not been shown yet.
  func live(
    _ phase: Phase, _ cancellation: Cancellation? = nil, previous: Point? = nil
  ) -> LiveTouch? {
    guard let shownAs else { return nil }
    return LiveTouch(
      touch: shownAs, phase: phase, cancellation: cancellation, point: point, previous: previous,
      block: block, device: device, display: placement.display, screen: screen,
      preexisting: preexisting)
  }
}
