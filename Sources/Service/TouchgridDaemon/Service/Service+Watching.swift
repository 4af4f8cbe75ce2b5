internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// The method `WatchTouches`, which sends live touches.
extension Service {
  func watchTouches(
    _: API.WatchTouches, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.WatchTouches.Reply? {
    guard call.wantsMore else { throw .expectedMore }
    if watchers.isEmpty {
      capture.startWatching(at: moment)
      layout = displays()
      sentMasks = masks
    }
    // The state that is sent to the new watcher includes all frames so far. The other watchers
    // receive them now, before the new one is added.
    _ = publish(at: moment)
    watchers[call.id] = call.peer
    let frame = API.WatchTouches.Reply(
      atUs: moment.monotonic.microseconds, touches: capture.liveTouches.map(API.Touch.init),
      displays: displays(), masks: masks)
    send(EncodedReply(frame, continues: true), to: call.id)
    return nil
  }

  /// Whether there may be changes that the watchers have not received.
  var hasNews: Bool {
    !watchers.isEmpty
      && (layoutRevision != capture.recorder.revision || capture.feed?.hasFrames == true)
  }

  /// Sends the watchers all changes since the last call.
  /// - Returns: whether there were any changes.
  func publish(at moment: Moment) -> Bool {
    guard !watchers.isEmpty else { return false }
    let frames = capture.takeFrames(at: moment)
    // The time of the first message must not be later than that of the frames that follow it.
    let time = frames.first?.time ?? moment.monotonic
    var news = API.WatchTouches.Reply(atUs: time.microseconds, touches: [])
    if layoutRevision != capture.recorder.revision {
      layoutRevision = capture.recorder.revision
      let now = self.displays()
      if now != layout {
        layout = now
        news.displays = now
      }
      if masks != sentMasks {
        sentMasks = masks
        news.masks = masks
      }
    }
    var replies: [API.WatchTouches.Reply] = []
    // Sent before the frames, because a client that draws touches must know of a new mask before it
    // gets the next touch.
    if news.displays != nil || news.masks != nil { replies.append(news) }
    for frame in frames {
      replies.append(
        API.WatchTouches.Reply(
          atUs: frame.time.microseconds, touches: frame.touches.map(API.Touch.init)))
    }
    for reply in replies {
      let encoded = EncodedReply(reply, continues: true)
      // If a connection is cut off here, the server reports it later with a `.closed` event.
      for watcher in watchers.keys { send(encoded, to: watcher) }
    }
    return !replies.isEmpty
  }
}

extension Service {
  private var masks: [API.Mask] { capture.recorder.masks.list.map(API.Mask.init) }
}

extension API.Touch {
  init(_ touch: LiveTouch) {
    self.init(
      id: Int64(clamping: touch.touch.value), phase: touch.phase,
      cancellation: touch.cancellation, point: API.Point(touch.point),
      previous: touch.previous.map(API.Point.init), block: API.Block(touch.block),
      device: touch.device, display: touch.display, screen: touch.screen,
      preexisting: touch.preexisting)
  }
}
