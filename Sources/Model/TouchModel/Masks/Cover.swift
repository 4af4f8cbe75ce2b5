/// A rectangle of a display in which the overlay takes all touches, so that the app gets none: a
/// spot where a panel reports touches that nobody makes. It lies on the glass, whatever the screen.
public struct Cover: Hashable, Sendable {
  /// The maximum number of covers.
  public static let limit = 32

  /// The display's name; nil for every display.
  public var display: String?
  public var rectangle: Rectangle

  public init(display: String? = nil, rectangle: Rectangle) {
    self.display = display
    self.rectangle = rectangle
  }

  /// Whether the cover lies on a display.
  public func lies(on display: String) -> Bool { (self.display ?? display) == display }

  /// Whether a touch that begins at a point of a display is kept from the app. Unlike those of a
  /// mask, the right and lower edges do not belong to the cover: they do not belong to a window.
  func takes(_ point: Point, on display: String) -> Bool {
    lies(on: display) && rectangle.x <= point.x && point.x < rectangle.x + rectangle.width
      && rectangle.y <= point.y && point.y < rectangle.y + rectangle.height
  }
}

/// A span of time in which a client takes all touches that begin on a display from the app.
public struct SwallowedSpan: Hashable, Sendable {
  /// The maximum number of spans at a time.
  public static let limit = 64

  public var client: ClientID
  /// The display's name; nil for every display.
  public var display: String?
  public var from: Timestamp
  /// nil until the client says when the span ended.
  public var until: Timestamp?
  /// Whether these touches are those of a person who uses the kiosk: they begin a session and count
  /// as activity.
  public var isUse: Bool

  public init(
    client: ClientID, display: String? = nil, from: Timestamp, until: Timestamp? = nil, isUse: Bool
  ) {
    self.client = client
    self.display = display
    self.from = from
    self.until = until
    self.isUse = isUse
  }

  func includes(_ trace: borrowing TouchTrace) -> Bool {
    let display = trace.placement.display
    return (self.display ?? display) == display && from <= trace.began
      && (until.map { trace.began < $0 } ?? true)
  }

  fileprivate func isSame(as other: SwallowedSpan) -> Bool {
    client == other.client && display == other.display && from == other.from
  }
}

/// Touches that the app does not get. The place or the time of the touch-down decides that, because
/// a compositor sends a whole touch to the surface where it began.
extension SessionRecorder {
  /// What keeps a touch from the app.
  enum Swallowing: Sendable {
    case cover, span
  }

  /// - Parameter trace: a touch that has just begun.
  /// - Returns: nil if the app gets the touch; whether the touch is quiet (`ActiveContact.isQuiet`)
  ///   outside of masks.
  func swallowing(_ trace: borrowing TouchTrace) -> (by: Swallowing, isQuiet: Bool)? {
    let (point, display) = (trace.path.last, trace.placement.display)
    if covers.contains(where: { $0.takes(point, on: display) }) {
      return (.cover, true)
    }
    for span in spans where span.includes(trace) { return (.span, !span.isUse) }
    return nil
  }

  /// Adds a span, or replaces that of the same client and display with the same beginning. It also
  /// concerns touches that have begun, but not those that are committed.
  /// - Returns: false if there are too many spans.
  public mutating func swallow(_ span: SwallowedSpan, at moment: Moment) -> Bool {
    // A frame may be read late, so spans are kept for a while.
    let needed = moment.monotonic + -(rules.lateNames + Self.recall)
    spans.removeAll { $0.until.map { $0 < needed } ?? false }
    let former = spans.firstIndex { $0.isSame(as: span) }.map { spans.remove(at: $0) }
    guard spans.count < SwallowedSpan.limit else { return false }
    spans.append(span)
    forEachPending(at: moment) { recorder, touch in
      guard touch.swallowing != .cover else { return false }
      if span.includes(touch.trace) {
        touch.swallowing = .span
      } else if former?.includes(touch.trace) == true,
        !recorder.spans.contains(where: { $0.includes(touch.trace) })
      {
        touch.swallowing = nil
        return touch.isQuiet
      }
      return false
    }
    return true
  }

  /// Ends the open spans of a client.
  public mutating func endSpans(of client: ClientID, at moment: Moment) {
    for index in spans.indices where spans[index].client == client {
      spans[index].until = min(spans[index].until ?? moment.monotonic, moment.monotonic)
    }
  }

  /// Lets quiet touches that are masked by a late name or a new mask count as if they had been
  /// masked from the start: all touches in a mask must be treated alike.
  mutating func confirmMasked(at moment: Moment) {
    forEachPending(at: moment) { recorder, touch in touch.isQuiet && recorder.isMasked(touch) }
  }

  /// Changes touches that are not committed, in the order in which they began.
  /// - Parameter body: returns whether the touch proves to be that of a person who uses the kiosk.
  ///   One that began so long ago that its screen may be forgotten stays quiet.
  private mutating func forEachPending(
    at moment: Moment, _ body: (SessionRecorder, inout ActiveContact) -> Bool
  ) {
    let earliest = moment.monotonic + -(rules.lateNames + Self.recall)
    let touches = pending.compactMap { place in self[place].map { (place: place, touch: $0) } }
    for (place, former) in touches.sorted(by: { $0.touch.trace.began < $1.touch.trace.began }) {
      var touch = former
      if body(self, &touch), touch.trace.began >= earliest {
        confirmAsFinger(&touch, now: moment)
        if case .ended(let index) = place {
          activity.note(ended[index].ended.boottime)
        } else {
          activity.note(moment.boottime(of: touch.trace.began))
        }
      }
      self[place] = touch
    }
  }

  /// The place of a touch that is not committed.
  enum PendingPlace {
    case down(device: DeviceIndex, slot: Int)
    case ended(Int)
  }

  /// All places that may have a touch.
  var pending: [PendingPlace] {
    let down = devices.indices.flatMap { device in
      devices[device].live.indices.map { PendingPlace.down(device: device, slot: $0) }
    }
    return down + ended.indices.map { PendingPlace.ended($0) }
  }

  subscript(place: PendingPlace) -> ActiveContact? {
    get {
      switch place {
      case .down(let device, let slot): devices[device].live[slot]
      case .ended(let index): ended[index].live
      }
    }
    set {
      switch place {
      case .down(let device, let slot): devices[device].live[slot] = newValue
      case .ended(let index): if let newValue { ended[index].live = newValue }
      }
    }
  }
}
