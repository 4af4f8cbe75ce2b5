/// All masks that hold at a time, made for being asked often.
public struct Masks: Hashable, Sendable {
  /// The most masks of the configuration, and the most that clients may add beside these.
  public static let shareLimit = 256
  /// The most masks at a time.
  public static let limit = 2 * shareLimit

  /// A mask with a rectangle, and its place among all.
  struct Candidate: Hashable, Sendable {
    let number: Int
    let rectangle: Rectangle
    let mask: Mask
  }

  /// Each once, in the order given.
  public let list: [Mask]
  private let numbers: [Mask: Int]

  public init() {
    list = []
    numbers = [:]
  }

  /// - Parameters:
  ///   - masks: the same may come several times.
  ///   - widened: masks of whole screens that hold as well, as many as there are.
  /// - Returns: nil for more than `limit` of `masks`.
  public init?(_ masks: some Sequence<Mask>, widened: [Mask] = []) {
    var list: [Mask] = []
    var numbers: [Mask: Int] = [:]
    for mask in masks where numbers[mask] == nil {
      guard list.count < Self.limit else { return nil }
      numbers[mask] = list.count
      list.append(mask)
    }
    // After those with rectangles, whose numbers must stay below the limit (`MaskPath.Numbers`).
    for mask in widened where mask.rectangle == nil && numbers[mask] == nil {
      numbers[mask] = list.count
      list.append(mask)
    }
    self.list = list
    self.numbers = numbers
  }

  public func contains(_ mask: Mask) -> Bool { numbers[mask] != nil }

  public var isEmpty: Bool { list.isEmpty }

  /// Whether a place on a screen is masked.
  /// - Parameter point: in points of the display.
  public func covers(screen: String, display: String, point: Point) -> Bool {
    covers(screen: screen, display: display)
      || list.contains { mask in
        mask.screen == screen && (mask.display ?? display) == display
          && mask.rectangle?.contains(point) == true
      }
  }

  /// Whether a screen is masked as a whole.
  func covers(screen: String, display: String) -> Bool {
    !isEmpty
      && (numbers[Mask(screen: screen)] != nil
        || numbers[Mask(screen: screen, display: display)] != nil)
  }

  /// Whether anything of a screen is masked.
  /// - Parameter display: nil: on any.
  func concern(_ screen: String, on display: String? = nil) -> Bool {
    list.contains { mask in
      mask.screen == screen && (display == nil || mask.display == nil || mask.display == display)
    }
  }

  /// Whether a touch of a screen is masked.
  /// - Parameter path: made with the candidates of these masks.
  func cover(screen: String, display: String, path: borrowing MaskPath) -> Bool {
    covers(screen: screen, display: display)
      || path.crossed.contains { list[$0].screen == screen }
  }

  /// The masks that a touch on a display may go into, whatever screen it will turn out to belong to.
  func candidates(on display: String) -> [Candidate] {
    list.enumerated().compactMap { number, mask in
      guard let rectangle = mask.rectangle, (mask.display ?? display) == display else { return nil }
      return Candidate(number: number, rectangle: rectangle, mask: mask)
    }
  }

  /// The place of a mask among all.
  func number(of mask: Mask) -> Int? { numbers[mask] }
}
