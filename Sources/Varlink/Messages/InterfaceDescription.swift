/// One interface as a service describes it.
public struct InterfaceDescription: Hashable, Sendable {
  /// Such as `org.example.more`.
  public var name: String
  /// In Varlink's interface definition language, the documentation included.
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}
