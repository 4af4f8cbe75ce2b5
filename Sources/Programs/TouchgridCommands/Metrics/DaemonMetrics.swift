import TouchModel
import TouchgridAPI

/// The state of a daemon as metrics. docs/metrics.md lists them.
struct DaemonMetrics {
  var status: API.GetStatus.Reply
  var devices: [API.Device]
  /// All days of the store; nil if the store does not answer.
  var days: [API.Day]?
  /// The time of the status.
  var now: WallTime

  var lines: [String] {
    var metrics = OpenMetrics()
    addService(to: &metrics)
    addTouches(to: &metrics)
    addDevices(to: &metrics)
    addClients(to: &metrics)
    addStore(to: &metrics)
    metrics.end()
    return metrics.lines
  }

  private func addService(to metrics: inout OpenMetrics) {
    metrics.add(
      .gauge, "touchgrid_build_info", "1, with the version of the daemon.",
      [.init(1, (name: "version", value: status.version))])
    metrics.add(
      .gauge, "touchgrid_start_time", unit: "seconds", "When the daemon started.",
      [.init((now.milliseconds &- status.uptimeMs) / 1000)])
    metrics.add(
      .gauge, "touchgrid_pauses", "Clients that pause recording.", [.init(Int64(status.pauses))])
    metrics.add(
      .gauge, "touchgrid_masks_everything",
      "Whether every touch is masked, because there is no configuration yet.",
      [.init(status.masksEverything ? 1 : 0)])
    metrics.add(
      .gauge, "touchgrid_widened_masks",
      "Screens that are masked as a whole, because a display is only guessed.",
      [.init(Int64(status.widenedMasks))])
    metrics.add(
      .gauge, "touchgrid_restart_needed",
      "Whether a change of the configuration waits for a restart.",
      [.init(status.restartNeededFor.isEmpty ? 0 : 1)])
  }

  private func addTouches(to metrics: inout OpenMetrics) {
    let tally = status.tally
    metrics.add(
      .counter, "touchgrid_touches", "Touches that began, masked or not.", [.init(tally.touches)])
    metrics.add(
      .counter, "touchgrid_unrecorded_touches", "Touches that count for no session.",
      [.init(tally.unrecorded)])
    metrics.add(
      .counter, "touchgrid_suspected_ghosts",
      "Touches that a faulty panel repeats in a regular rhythm.", [.init(tally.suspectedGhosts)])
    metrics.add(
      .counter, "touchgrid_virtual_duplicates",
      "Touches of a virtual touchscreen that repeat those of a real one.", [.init(tally.echoes)])
    metrics.add(
      .counter, "touchgrid_event_drops", "How often the kernel dropped events.",
      [.init(tally.drops)])
    metrics.add(
      .gauge, "touchgrid_last_touch_timestamp", unit: "seconds",
      "When the last touch began that was not masked.",
      status.lastTouchAtMs.map { [.init(milliseconds: $0)] } ?? [])
    metrics.add(
      .gauge, "touchgrid_session_running", "Whether a session runs.",
      [.init(status.session == nil ? 0 : 1)])
  }

  private func addDevices(to metrics: inout OpenMetrics) {
    metrics.add(
      .gauge, "touchgrid_devices", "Touchscreens that the daemon reads.",
      [.init(Int64(status.devices))])
    metrics.add(
      .gauge, "touchgrid_refused_devices", "Touchscreens that the daemon does not read.",
      [.init(Int64(status.refusedDevices))])
    func samples(_ value: (API.Device) -> OpenMetrics.Sample?) -> [OpenMetrics.Sample] {
      devices.compactMap { device in
        guard var sample = value(device) else { return nil }
        sample.labels = [("device", device.key), ("display", device.display)]
        return sample
      }
    }
    metrics.add(
      .gauge, "touchgrid_device_silence", unit: "seconds",
      "How long the touchscreen has sent no event, in whole minutes.",
      samples { $0.silentForMs.map { .init(milliseconds: $0) } })
    metrics.add(
      .gauge, "touchgrid_device_unheard_contacts",
      "Contacts that the kernel knows but that send nothing: another program has grabbed the device.",
      samples { $0.unheardContacts.map { .init(Int64($0)) } })
    metrics.add(
      .counter, "touchgrid_device_touches", "Touches of the touchscreen since it was opened.",
      samples { .init($0.tally.touches) })
    metrics.add(
      .counter, "touchgrid_device_event_drops", "How often the kernel dropped its events.",
      samples { .init($0.tally.drops) })
  }

  private func addClients(to metrics: inout OpenMetrics) {
    metrics.add(
      .gauge, "touchgrid_clients", "Connections to the socket.", [.init(Int64(status.clients))])
    metrics.add(
      .gauge, "touchgrid_followers", "Clients that follow the screens of an app.",
      [.init(Int64(status.followers))])
    metrics.add(
      .gauge, "touchgrid_grids", unit: "bytes", "The memory of the grids of open sessions.",
      [.init(status.grids.bytes)])
    metrics.add(
      .gauge, "touchgrid_grids_full", "Whether touches lack a grid, because memory has no room.",
      [.init(status.grids.isFull ? 1 : 0)])
  }

  private func addStore(to metrics: inout OpenMetrics) {
    let store = status.store
    metrics.add(
      .gauge, "touchgrid_store", unit: "bytes", "The size of the store.", [.init(store.bytes)])
    metrics.add(
      .gauge, "touchgrid_store_failing", "Whether the last attempt to write failed.",
      [.init(store.error == nil ? 0 : 1)])
    metrics.add(
      .gauge, "touchgrid_store_waiting", unit: "bytes", "What waits in memory to be written.",
      [.init(store.waitingBytes)])
    metrics.add(
      .gauge, "touchgrid_store_busy", unit: "seconds", "How long the current write has taken.",
      [.init(milliseconds: store.busyForMs ?? 0)])
    metrics.add(
      .counter, "touchgrid_store_lost_sessions",
      "Sessions that were lost, because neither disk nor memory had room.",
      [.init(store.givenUp)])
    metrics.add(
      .gauge, "touchgrid_store_moved_aside",
      "Whether a damaged store was moved aside since the start.",
      [.init(store.movedAside == nil ? 0 : 1)])
    guard let days else { return }
    metrics.add(
      .gauge, "touchgrid_stored_days", "Days in the store.", [.init(Int64(days.count))])
    metrics.add(
      .gauge, "touchgrid_stored_sessions", "Sessions in the sums of the store.",
      [.init(days.reduce(0) { $0 &+ Int64($1.sessions) })])
  }
}
