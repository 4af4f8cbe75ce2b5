/// Thrown when a picture cannot be made or read. The text has the reason and the remedy.
public struct PictureError: Error, CustomStringConvertible, Hashable, Sendable {
  public var description: String
  public init(_ description: String) { self.description = description }
}
