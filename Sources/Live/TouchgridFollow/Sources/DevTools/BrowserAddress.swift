internal import NIOCore
internal import NIOHTTP1
internal import Text

/// The reason why a browser cannot be observed, although a program listens at its port.
struct BrowserError: Error { let reason: String }

/// Queries the path of the browser's web socket once, then closes the connection.
final class BrowserAddress: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  /// The maximum length of the answer, in bytes.
  private static let limit = 64 << 10

  private let host: String
  /// The promise of the path; nil once it is completed.
  private var promise: EventLoopPromise<String>?
  private var body: [UInt8] = []

  /// - Parameters:
  ///   - host: The host to ask, with its port.
  ///   - promise: Receives the path.
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
    promise?.fail(
      BrowserError(
        reason: "the program at \(host) does not answer as a Chromium does that was started with "
          + "--remote-debugging-port"))
    promise = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// Returns the path of the web socket's address in an answer, such as `/devtools/browser/…` in
  /// `ws://127.0.0.1:9222/devtools/browser/…`; nil if the answer has no such address.
  static func path(_ answer: [UInt8]) -> String? {
    let version = try? JSON.decode(PageMessages.Version.self, from: answer[...])
    guard let address = version?.webSocketDebuggerUrl else { return nil }
    let parts = address.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 3, parts[3] == "devtools" else { return nil }
    return "/" + parts[3...].joined(separator: "/")
  }
}
