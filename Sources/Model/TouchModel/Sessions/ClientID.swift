/// Identifies a client that names screens. A number is never reused.
public struct ClientID: Hashable, Sendable {
  private let number: UInt64

  public init(_ number: UInt64) { self.number = number }
}
