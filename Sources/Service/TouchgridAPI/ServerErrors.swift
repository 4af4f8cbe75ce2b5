package import Varlink

extension ServerErrors {
  /// The errors that the server sends before it closes a connection, as errors of `io.touchgrid`.
  package static let touchgrid = ServerErrors(
    tooManyClients: { API.TooManyClients(limit: Int64($0), message: $1).varlinkError },
    tooSlow: { API.TooSlow(message: $0).varlinkError },
    malformedMessage: { API.MalformedMessage(message: $0).varlinkError })
}
