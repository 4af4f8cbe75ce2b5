internal import Text

/// The controls of all screens, and since when they have been laid out as they are. A touch is
/// compared with the layout of the moment when it began.
struct ControlLayouts: Sendable {
  /// How many layouts of a screen are remembered. Older ones are needed only while a finger rests.
  private static let limit = 8
  /// How many screens are remembered after they have lost their controls.
  private static let emptyLimit = 1024

  private struct Place: Hashable {
    var screen: ExactName
    var display: ExactName?

    init(_ screen: String, _ display: String?) {
      self.screen = ExactName(screen)
      self.display = display.map { ExactName($0) }
    }
  }

  private struct Layout: Sendable {
    var since: Timestamp
    /// Empty: the screen has no controls.
    var controls: [Control]
  }

  private var layouts: [Place: [Layout]] = [:]

  /// Whether no screen has controls, nor had any.
  var isEmpty: Bool { layouts.isEmpty }

  /// Replaces the controls of all screens.
  /// - Parameter time: since when they are laid out so; nil: as if they had always been. A screen's
  ///   first layout has always been so.
  mutating func replace(with lists: [ScreenControls], at time: Timestamp?) {
    guard let time else {
      layouts = [:]
      return replace(with: lists, at: Timestamp(microseconds: .min))
    }
    var new: [Place: [Control]] = [:]
    for list in lists where !list.controls.isEmpty {
      new[Place(list.screen, list.display)] = list.controls
    }
    for (place, known) in layouts where new[place] == nil && known.last?.controls.isEmpty == false {
      append([], to: place, since: time)
    }
    for (place, controls) in new where layouts[place]?.last?.controls != controls {
      append(
        controls, to: place,
        since: layouts[place] == nil ? Timestamp(microseconds: .min) : time)
    }
    if layouts.count > Self.emptyLimit {
      layouts = layouts.filter { $0.value.last?.controls.isEmpty == false }
    }
  }

  private mutating func append(_ controls: [Control], to place: Place, since time: Timestamp) {
    let former = layouts[place, default: []].suffix(Self.limit - 1)
    layouts[place] = former + [Layout(since: time, controls: controls)]
  }

  /// Returns the controls of a screen; empty if it had none.
  func controls(of screen: String, on display: String, at time: Timestamp) -> [Control] {
    guard !layouts.isEmpty else { return [] }
    func find(_ display: String?) -> [Control]? {
      layouts[Place(screen, display)]?.last { $0.since <= time }?.controls
    }
    // A display whose own list was removed has the list of all displays again.
    if let own = find(display), !own.isEmpty { return own }
    return find(nil) ?? []
  }
}
