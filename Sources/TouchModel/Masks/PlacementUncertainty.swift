/// What is only guessed about where a panel lies. Until it is known, masks on the panel's display cover
/// whole screens: a rectangle has no certain place, and a mask for another display may be meant for
/// this panel.
public struct PlacementUncertainty: Hashable, Sendable {
  /// Displays that the panel may lie on beside the one that it was assigned to.
  public enum Alternatives: Hashable, Sendable {
    case none
    /// Every display but those that were connected when the panel was assigned.
    case allBut(connected: Set<String>)
    case all

    func include(_ display: String) -> Bool {
      switch self {
      case .none: false
      case .allBut(let connected): !connected.contains(display)
      case .all: true
      }
    }
  }

  /// The display that the panel was assigned to.
  public var display: String
  /// The size of that display is a guess.
  public var isSizeGuessed: Bool
  public var alternatives: Alternatives

  public init(display: String, isSizeGuessed: Bool, alternatives: Alternatives) {
    self.display = display
    self.isSizeGuessed = isSizeGuessed
    self.alternatives = alternatives
  }

  public var isCertain: Bool { !isSizeGuessed && alternatives == .none }

  /// Whether the mask covers its whole screen on this display.
  fileprivate func widens(_ mask: Mask) -> Bool {
    let isForThis = (mask.display ?? display) == display
    return isForThis
      ? isSizeGuessed && mask.rectangle != nil
      : mask.display.map(alternatives.include) ?? false
  }
}

extension Masks {
  /// Whether a touch of a screen is masked because nobody knew where its panel lay when it began, whatever became known
  /// since: names may come later than the monitor.
  func mayConcern(_ screen: String, on placement: Placement) -> Bool {
    let uncertainty = PlacementUncertainty(
      display: placement.display, isSizeGuessed: placement.geometrySource == .guess,
      alternatives: placement.displaySource == .guess ? .all : .none)
    return !uncertainty.isCertain
      && list.contains { $0.screen == screen && uncertainty.widens($0) }
  }

  /// The masks of whole screens that hold beside `masks` while placements are uncertain: each once, in
  /// the order of `masks`.
  public static func widened(
    _ masks: [Mask], by uncertainties: some Sequence<PlacementUncertainty>
  ) -> [Mask] {
    var widened: [Mask] = []
    var known: Set<Mask> = []
    for uncertainty in Set(uncertainties).sorted(by: { $0.display < $1.display })
    where !uncertainty.isCertain {
      for mask in masks where uncertainty.widens(mask) {
        let whole = Mask(screen: mask.screen, display: uncertainty.display)
        if known.insert(whole).inserted { widened.append(whole) }
      }
    }
    return widened
  }
}
