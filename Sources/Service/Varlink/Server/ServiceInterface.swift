internal import Text

/// The interface org.varlink.service, which every service has (Varlink specification, UAPI.20).
struct ServiceInterface {
  private static let name = "org.varlink.service"

  private struct Info: Encodable {
    let vendor: String
    let product: String
    let version: String
    let url: String
    let interfaces: [String]
  }

  private struct Query: CallParameters {
    static let names = ["interface"]
    let interface: String
  }

  private let info: EncodedReply
  private let descriptions: [ExactName: EncodedReply]

  init(
    vendor: String, product: String, version: String, url: String,
    interfaces: [InterfaceDescription]
  ) {
    let all = [InterfaceDescription(name: Self.name, text: Self.text)] + interfaces
    info = EncodedReply(
      Info(
        vendor: vendor, product: product, version: version, url: url,
        interfaces: all.map(\.name)))
    descriptions = Dictionary(
      all.map { (ExactName($0.name), EncodedReply(["description": $0.text])) },
      uniquingKeysWith: { $1 })
  }

  /// Checks whether the call can be answered.
  /// - Throws: `InterfaceNotFound` if the server lacks the interface; `MethodNotImplemented` if the
  ///   call requests an upgrade to another protocol.
  func check(_ call: CallEnvelope) throws(VarlinkError) {
    guard descriptions[ExactName(call.interface)] != nil else {
      throw .interfaceNotFound(call.interface)
    }
    // No method of these interfaces supports an upgrade.
    if call.wantsUpgrade { throw .methodNotImplemented(call.method) }
  }

  /// Whether this interface answers the call, instead of the owner of the server.
  func answers(_ call: CallEnvelope) -> Bool { ExactName(call.interface) == Self.name }

  func reply(to message: CallMessage) -> EncodedReply {
    let method = ExactName(message.envelope.method)
    do throws(VarlinkError) {
      if method == "\(Self.name).GetInfo" {
        _ = try message.parameters.decode(NoParameters.self)
        return info
      }
      if method == "\(Self.name).GetInterfaceDescription" {
        let query = try message.parameters.decode(Query.self)
        return descriptions[ExactName(query.interface)]
          ?? EncodedReply(.interfaceNotFound(query.interface))
      }
      throw .methodNotFound(method.text)
    } catch {
      return EncodedReply(error)
    }
  }

  private static let text = """
    # The interface that every Varlink service implements: its identity and its interfaces.
    interface org.varlink.service

    # Returns the vendor, product and version of the service, and its interfaces.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Returns the description of an interface, in the Varlink interface definition language.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service does not have this interface.
    error InterfaceNotFound (interface: string)

    # The interface does not have this method.
    error MethodNotFound (method: string)

    # The interface has this method, but the service does not implement it.
    error MethodNotImplemented (method: string)

    # A parameter is unknown, missing, or not of its type.
    error InvalidParameter (parameter: string)

    # The client may not do this.
    error PermissionDenied ()

    # The method must be called with "more".
    error ExpectedMore ()

    # The method must be called with "upgrade".
    error ExpectedUpgrade ()

    """
}

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
