/// What a method takes.
public protocol CallParameters: Decodable, Sendable {
  /// The names of all members, so that unknown ones can be refused.
  static var names: [String] { get }
}

/// Of a method that takes none.
public struct NoParameters: CallParameters, Encodable, Hashable {
  public static let names: [String] = []
  public init() {}
}
