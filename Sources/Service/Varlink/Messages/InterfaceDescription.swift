/// The description of one interface of a service.
public struct InterfaceDescription: Hashable, Sendable {
  /// The name, such as `org.example.more`.
  public var name: String
  /// The definition in Varlink's interface definition language, including its documentation.
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}
