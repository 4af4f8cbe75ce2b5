internal import Storage
internal import TouchModel
internal import TouchgridAPI

extension Service {
  func status(at moment: Moment) -> API.GetStatus.Reply {
    let recorder = capture.recorder
    let health = storage.health
    return API.GetStatus.Reply(
      version: touchgridVersion, uptimeMs: (moment.boottime - started.boottime) / 1000,
      mode: recorder.rules.mode,
      session: recorder.runningSession(at: moment).map { API.Session($0) },
      lastTouchAtMs: recorder.lastTouchDown?.wall.milliseconds,
      touchesDown: recorder.touchesDown, pauses: pauses.count,
      tally: API.DeviceTally(recorder.tally), devices: devices.count,
      refusedDevices: devices.refused.count, clients: clientCount, watchers: watchers.count,
      followers: followers.count, widenedMasks: capture.widenedMasks.count,
      masksEverything: capture.masksEverything, restartNeededFor: restartNeededFor,
      appGroup: access.groupName(of: .app),
      grids: API.GridMemory(
        bytes: Int64(recorder.counterBytes), limitBytes: Int64(GridMemory.limit),
        isFull: recorder.isOverflowing),
      store: API.Store(
        path: storage.path, bytes: health.bytes,
        error: health.error.map { "\($0)" },
        waitingBytes: Int64(health.waitingBytes),
        busyForMs: health.busy.map { Int64($0 / .milliseconds(1)) },
        givenUp: Int64(health.givenUp), movedAside: storage.movedAside))
  }
}

extension API.DeviceTally {
  init(_ tally: SessionRecorder.DeviceTally) {
    self.init(
      touches: Int64(clamping: tally.touches), drops: Int64(clamping: tally.drops),
      suspectedGhosts: Int64(clamping: tally.ghosts), echoes: Int64(clamping: tally.echoes),
      unrecorded: Int64(clamping: tally.unrecorded))
  }
}

/// The devices that are read, as clients see them.
protocol DeviceList: AnyObject {
  var count: Int { get }
  func devices(at moment: Moment) -> [API.Device]
  var refused: [API.RefusedDevice] { get }
  /// Reads panels that rest.
  func readWaiting(_ urgency: AttachedTouchscreens.Urgency, at moment: Moment)
}
