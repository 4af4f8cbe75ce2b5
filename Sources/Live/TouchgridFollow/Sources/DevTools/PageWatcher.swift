internal import LinuxIO
internal import NIOCore
internal import NIOWebSocket
internal import Text

/// A picture of a page, as PNG.
struct PagePicture: Sendable {
  var target: String
  /// The address of the page, the same before and after the picture.
  var url: String
  var bytes: [UInt8]
}

/// Handles the web socket of a browser: subscribes to its pages, and reports the shown one.
final class PageWatcher: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The event that tells this handler that frames can be sent.
  struct Begin: Sendable {}

  /// The event that makes this handler take a picture of a page.
  struct TakePicture: Sendable {
    var target: String
  }

  private static let titlePause = TimeAmount.milliseconds(250)

  private let wantsTitles: Bool
  private let wantsControls: Bool
  private let wantsPictures: Bool
  /// Whether to query pages whether they were loaded. Only one connection does so.
  private var asksPages: Bool { !wantsControls && !wantsPictures }
  private let tell: (BrowserPages.Page?, _ time: Int64) -> Void
  private let tellControls: (PageControls?, _ time: Int64) -> Void
  private let tellResponse: (PageResponse, _ time: Int64) -> Void
  private let tellPicture: (PagePicture) -> Void
  private var pages = BrowserPages()
  private var loads = PageLoads()
  private var attached = AttachedPages()
  private var lastCall = 0
  /// The call for a picture without an answer yet, with its page and address.
  private var pictured: (call: Int, target: String, url: String)?
  private var questions: RepeatedTask?

  /// - Parameters:
  ///   - wantsTitles: Whether to ask for titles repeatedly, because the browser does not report
  ///     when they change.
  ///   - wantsControls: Whether to attach to pages and find their controls.
  ///   - wantsPictures: Whether to attach to pages for pictures of them.
  ///   - tell: Called after each message with the shown page, nil if there is none, and with the
  ///     time at which the message arrived on `CLOCK_MONOTONIC`, in µs.
  ///   - tellControls: Called likewise, when that page has reported its controls, or when another
  ///     page is shown.
  ///   - tellResponse: Called likewise, when that page has reported its response to a touch.
  init(
    wantsTitles: Bool, wantsControls: Bool, wantsPictures: Bool,
    tell: @escaping (BrowserPages.Page?, _ time: Int64) -> Void,
    tellControls: @escaping (PageControls?, _ time: Int64) -> Void,
    tellResponse: @escaping (PageResponse, _ time: Int64) -> Void,
    tellPicture: @escaping (PagePicture) -> Void
  ) {
    self.wantsTitles = wantsTitles
    self.wantsControls = wantsControls
    self.wantsPictures = wantsPictures
    self.tell = tell
    self.tellControls = tellControls
    self.tellResponse = tellResponse
    self.tellPicture = tellPicture
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? TakePicture { return takePicture(of: event.target, context) }
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
      let message = Array(buffer: frame.unmaskedData)
      let former = pages.shownTarget
      let known = pages.shown
      pages.handle(message[...], at: time)
      var changed = time
      if asksPages {
        let reported = pages.shown
        ask(message[...], context)
        // The state of a page holds since the page got its address.
        if reported == known, pages.shown != known { changed = pages.shownTime ?? time }
      }
      tell(wantsTitles ? pages.shown : pages.shown?.withoutTitles, changed)
      if wantsControls || wantsPictures {
        look(message[...], shownBefore: former, at: time, context)
      }
    case .ping:
      // Do not send to a browser that does not read: the messages would wait here and need memory.
      guard context.channel.isWritable else { return context.close(promise: nil) }
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

  private func look(
    _ message: ArraySlice<UInt8>, shownBefore: String?, at time: Int64,
    _ context: ChannelHandlerContext
  ) {
    let shown = pages.shownTarget
    let isTold = attached.controls(of: shown)
    for call in attached.handle(message, targets: pages.targets, wantsControls: wantsControls) {
      send(call.method, call.parameters, session: call.session, context)
    }
    readPicture(message)
    guard wantsControls else { return }
    for response in attached.takeResponses(of: shown) { tellResponse(response, time) }
    let controls = attached.controls(of: shown)
    if shown != shownBefore || controls != isTold { tellControls(controls, time) }
  }

  /// Queries the pages whose address has changed whether they were loaded.
  private func ask(_ message: ArraySlice<UInt8>, _ context: ChannelHandlerContext) {
    for call in loads.handle(message, &pages) {
      switch call {
      case .attach(let target):
        send("Target.attachToTarget", PageMessages.Attachment(targetId: target), context)
      case .ask(_, let session):
        send("Page.getFrameTree", PageMessages.Nothing(), session: session, context)
      }
      loads.sent(call, as: lastCall)
    }
  }

  private func takePicture(of target: String, _ context: ChannelHandlerContext) {
    guard let session = attached.session(of: target), let url = pages.url(of: target) else {
      return
    }
    send("Page.captureScreenshot", PageMessages.Picture(), session: session, context)
    pictured = (lastCall, target, url)
  }

  /// Forwards a picture, unless the address of the page has changed meanwhile.
  private func readPicture(_ message: ArraySlice<UInt8>) {
    guard let wanted = pictured,
      let answer = try? JSON.decode(PageMessages.Pictured.self, from: message),
      answer.id == wanted.call
    else { return }
    pictured = nil
    guard wanted.url == pages.url(of: wanted.target),
      let picture = bytes(ofBase64: answer.result.data)
    else { return }
    tellPicture(PagePicture(target: wanted.target, url: wanted.url, bytes: picture))
  }

  private func send(
    _ method: String, _ parameters: some Encodable, session: String? = nil,
    _ context: ChannelHandlerContext
  ) {
    // Chromium refuses a call with the number of an unanswered call.
    lastCall += 1
    let call = PageMessages.Call(
      id: lastCall, method: method, params: parameters, sessionId: session)
    guard let bytes = JSON.encodedObject(call) else { return }
    guard context.channel.isWritable else { return context.close(promise: nil) }
    let frame = WebSocketFrame(
      fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: bytes))
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }
}
