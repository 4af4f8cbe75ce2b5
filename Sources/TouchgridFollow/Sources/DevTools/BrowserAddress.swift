internal import NIOCore
internal import NIOHTTP1
internal import Varlink

/// What one who listens on this machine is asked, and what cannot be understood of the answer.
struct BrowserRefusal: Error { let reason: String }

/// Asks once where the web socket of the browser is, and ends the connection.
final class BrowserAddress: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  /// Of the answer, in bytes.
  private static let limit = 64 << 10

  private let host: String
  /// nil once it is answered.
  private var promise: EventLoopPromise<String>?
  private var body: [UInt8] = []

  /// - Parameters:
  ///   - host: that is asked, with its port.
  ///   - promise: gets the path.
  init(host: String, _ promise: EventLoopPromise<String>) {
    self.host = host
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/json/version")
    head.headers.add(name: "Host", value: host)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: break
    case .body(let bytes):
      body += Array(buffer: bytes)
      if body.count > Self.limit { context.close(promise: nil) }
    case .end:
      if let path = Self.path(body) {
        promise?.succeed(path)
        promise = nil
      }
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise?.fail(BrowserRefusal(reason: "what listens at \(host) is no Chromium with DevTools"))
    promise = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// Of `ws://127.0.0.1:9222/devtools/browser/…` what follows the port.
  static func path(_ answer: [UInt8]) -> String? {
    let version = ForeignJSON.decode(PageMessages.Version.self, from: answer[...])
    guard let address = version?.webSocketDebuggerUrl else { return nil }
    let parts = address.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 3, parts[3] == "devtools" else { return nil }
    return "/" + parts[3...].joined(separator: "/")
  }
}
