/// The facts about the place of a panel that are guesses. While there is a guess, masks on the
/// panel's display cover whole screens: the place of a rectangle is uncertain, and a mask for
/// another display may be meant for this panel.
public struct PlacementUncertainty: Hashable, Sendable {
  /// The displays that the panel may lie on instead of its assigned display.
  public enum Alternatives: Hashable, Sendable {
    case none
    /// Every display except the displays that were connected when the panel was assigned.
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
  /// Whether the size of that display is a guess, or the range of an axis is wrong.
  public var isPlaceGuessed: Bool
  public var alternatives: Alternatives

  public init(display: String, isPlaceGuessed: Bool, alternatives: Alternatives) {
    self.display = display
    self.isPlaceGuessed = isPlaceGuessed
    self.alternatives = alternatives
  }

  public var isCertain: Bool { !isPlaceGuessed && alternatives == .none }

  /// Whether the mask must be widened to its whole screen on `display`.
  fileprivate func widens(_ mask: Mask) -> Bool {
    let isForThis = (mask.display ?? display) == display
    return isForThis
      ? isPlaceGuessed && mask.rectangle != nil
      : mask.display.map(alternatives.include) ?? false
  }
}

extension Masks {
  /// Whether a touch of a screen is masked because the place of its panel was a guess when the
  /// touch began. The touch stays masked if the place becomes known later, because the screen's
  /// name may arrive after that.
  func mayConcern(_ screen: String, on placement: Placement) -> Bool {
    let uncertainty = PlacementUncertainty(
      display: placement.display, isPlaceGuessed: placement.geometrySource == .guess,
      alternatives: placement.displaySource == .guess ? .all : .none)
    return !uncertainty.isCertain
      && list.contains { $0.screen == screen && uncertainty.widens($0) }
  }

  /// The masks of whole screens that apply besides `masks` while placements are uncertain: each
  /// once, ordered by display and then as in `masks`.
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
