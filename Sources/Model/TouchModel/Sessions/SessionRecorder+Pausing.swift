/// Pausing.
extension SessionRecorder {
  /// Pauses recording. Touches that are down end here; what they contributed so far counts. Does
  /// nothing while recording is paused.
  public mutating func pause(at moment: Moment) {
    guard !isPaused else { return }
    isPaused = true
    pauses += 1
    hasHadMasksOrPauses = true
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

  /// Records touches that begin from now on. Fingers that are down must be lifted first.
  public mutating func resume(at moment: Moment) {
    isPaused = false
    revision += 1
  }
}
