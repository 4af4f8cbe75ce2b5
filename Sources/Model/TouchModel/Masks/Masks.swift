/// All masks at one moment, arranged for fast lookup.
public struct Masks: Hashable, Sendable {
  /// The maximum number of masks in the configuration, and of masks that clients add.
  public static let shareLimit = 256
  /// The maximum number of masks at a time, without the additional ones while placements are
  /// uncertain (`PlacementUncertainty`).
  public static let limit = 2 * shareLimit

  /// A mask with a rectangle, and its number in the list.
  struct Candidate: Hashable, Sendable {
    let number: Int
    let rectangle: Rectangle
    let mask: Mask
  }

  /// The masks, each once, in the order given.
  public let list: [Mask]
  /// Whether every screen is masked as a whole, besides the masks in `list`.
  public let coverEverything: Bool
  private let numbers: [Mask: Int]

  public init() {
    list = []
    coverEverything = false
    numbers = [:]
  }

  /// The mask of every screen as a whole.
  public static var everything: Masks { Masks(everything: true) }

  private init(everything: Bool) {
    list = []
    coverEverything = everything
    numbers = [:]
  }

  /// - Parameters:
  ///   - masks: may contain the same mask several times.
  ///   - widened: additional masks of whole screens, in any number; masks with a rectangle are
  ///     ignored.
  ///   - coverEverything: whether every screen is masked as a whole as well.
  /// - Returns: nil for more than `limit` different masks.
  public init?(
    _ masks: some Sequence<Mask>, widened: [Mask] = [], coverEverything: Bool = false
  ) {
    var list: [Mask] = []
    var numbers: [Mask: Int] = [:]
    for mask in masks where numbers[mask] == nil {
      guard list.count < Self.limit else { return nil }
      numbers[mask] = list.count
      list.append(mask)
    }
    // Append these after the others, because numbers of masks with rectangles must stay below the
    // limit (`MaskPath.Numbers`).
    for mask in widened where mask.rectangle == nil && numbers[mask] == nil {
      numbers[mask] = list.count
      list.append(mask)
    }
    self.list = list
    self.coverEverything = coverEverything
    self.numbers = numbers
  }

  public func contains(_ mask: Mask) -> Bool { numbers[mask] != nil }

  /// Whether each of the other masks is among these.
  func contain(_ others: borrowing Masks) -> Bool {
    (coverEverything || !others.coverEverything) && others.list.allSatisfy(contains)
  }

  public var isEmpty: Bool { list.isEmpty && !coverEverything }

  /// Whether a screen is masked as a whole.
  func covers(screen: String, display: String) -> Bool {
    !isEmpty
      && (coverEverything || numbers[Mask(screen: screen)] != nil
        || numbers[Mask(screen: screen, display: display)] != nil)
  }

  /// Whether any part of a screen is masked.
  /// - Parameter display: nil for any display.
  func concern(_ screen: String, on display: String? = nil) -> Bool {
    coverEverything
      || list.contains { mask in
        mask.screen == screen && (display == nil || mask.display == nil || mask.display == display)
      }
  }

  /// Whether a touch on a screen is masked.
  /// - Parameter path: a path that was created with the candidates of these masks.
  func cover(screen: String, display: String, path: borrowing MaskPath) -> Bool {
    covers(screen: screen, display: display)
      || path.crossed.contains { list[$0].screen == screen }
  }

  /// The masks that a touch on a display may enter, on any screen.
  func candidates(on display: String) -> [Candidate] {
    list.enumerated().compactMap { number, mask in
      guard let rectangle = mask.rectangle, (mask.display ?? display) == display else { return nil }
      return Candidate(number: number, rectangle: rectangle, mask: mask)
    }
  }

  /// The number of a mask in the list.
  func number(of mask: Mask) -> Int? { numbers[mask] }
}
