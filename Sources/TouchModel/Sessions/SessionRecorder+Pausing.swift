/// Recording can be paused.
extension SessionRecorder {
  /// Nothing that begins from now on is recorded. Touches that are down are cut off here: they count what
  /// they contributed until now. Does nothing while recording is paused.
  public mutating func pause(at moment: Moment) {
    guard !isPaused else { return }
    isPaused = true
    pauses += 1
    hasHadSecrets = true
    revision += 1
    for device in devices.indices {
      for slot in devices[device].live.indices {
        guard var live = devices[device].live[slot] else { continue }
        live.trace.stay(until: moment.monotonic)
        devices[device].live[slot] = nil
        finish(live, device: device, how: .cancelled, at: moment.monotonic, now: moment)
      }
    }
  }

  /// What begins from now on is recorded; fingers that are down must be lifted first.
  public mutating func resume(at moment: Moment) {
    isPaused = false
    revision += 1
  }
}
