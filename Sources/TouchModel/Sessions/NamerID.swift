/// Who says what is shown: a number that is never used again.
public struct NamerID: Hashable, Sendable {
  private let number: UInt64

  public init(_ number: UInt64) { self.number = number }
}
