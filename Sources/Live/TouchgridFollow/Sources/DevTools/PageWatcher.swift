internal import LinuxIO
internal import NIOCore
internal import NIOWebSocket
internal import Text

/// Handles the web socket of a browser: subscribes to its pages, and reports which one is shown.
final class PageWatcher: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The event that tells this handler that frames can be sent.
  struct Begin: Sendable {}

  private static let titlePause = TimeAmount.milliseconds(250)

  private let wantsTitles: Bool
  private let tell: (BrowserPages.Page?, _ time: Int64) -> Void
  private var pages = BrowserPages()
  private var questions: RepeatedTask?

  /// - Parameters:
  ///   - wantsTitles: Whether to ask for titles repeatedly, because the browser does not report
  ///     when they change.
  ///   - tell: Called after each message with the page that is shown, nil if there is none, and
  ///     with the time at which the message arrived on `CLOCK_MONOTONIC`, in µs.
  init(wantsTitles: Bool, tell: @escaping (BrowserPages.Page?, _ time: Int64) -> Void) {
    self.wantsTitles = wantsTitles
    self.tell = tell
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is Begin else { return context.fireUserInboundEventTriggered(event) }
    send("Target.setDiscoverTargets", PageMessages.Discovery(), context)
    guard wantsTitles else { return }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    questions = context.eventLoop.scheduleRepeatedTask(
      initialDelay: Self.titlePause, delay: Self.titlePause
    ) { _ in
      let (watcher, context) = bound.value
      watcher.send("Target.getTargets", PageMessages.Question(), context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { questions?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text:
      let time = Clocks.monotonic
      pages.handle(Array(buffer: frame.unmaskedData)[...])
      var page = pages.shown
      if !wantsTitles { page?.title = "" }
      tell(page, time)
    case .ping:
      let pong = WebSocketFrame(
        fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .connectionClose: context.close(promise: nil)
    default: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func send(
    _ method: String, _ parameters: some Encodable, _ context: ChannelHandlerContext
  ) {
    let call = PageMessages.Call(id: 1, method: method, params: parameters)
    guard let bytes = JSON.encodedObject(call) else { return }
    let frame = WebSocketFrame(
      fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: bytes))
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }
}
