/// Recognises fingers that hold two corners of the glass, the sign that begins and ends cleaning.
public struct CornerHold: Sendable {
  /// The size of a corner, as a share of the width and the height.
  public static let size = 0.12
  /// The time for which two corners must be held, in µs.
  public static let time: Int64 = 3_000_000

  private var held: [TouchID: (corner: Int, since: Timestamp)] = [:]

  public init() {}

  /// Takes the position of a finger, in shares of the width and the height. A finger that leaves
  /// its corner holds none until it touches down again.
  public mutating func place(
    _ touch: TouchID, x: Double, y: Double, isNew: Bool, at time: Timestamp
  ) {
    let corner = Self.corner(x, y)
    if isNew, let corner {
      held[touch] = (corner, time)
    } else if held[touch]?.corner != corner {
      held[touch] = nil
    }
  }

  public mutating func lift(_ touch: TouchID) { held[touch] = nil }

  /// The time at which two corners will have been held long enough; nil if fewer are held.
  public var end: Timestamp? {
    var since: [Int: Timestamp] = [:]
    for (corner, start) in held.values { since[corner] = min(since[corner] ?? start, start) }
    let starts = since.values.sorted()
    return starts.count < 2 ? nil : starts[1] + Self.time
  }

  private static func corner(_ x: Double, _ y: Double) -> Int? {
    guard x <= size || x >= 1 - size, y <= size || y >= 1 - size else { return nil }
    return (x < 0.5 ? 0 : 1) + (y < 0.5 ? 0 : 2)
  }
}
