/// Changing rules and placements while touches are down.
extension SessionRecorder {
  /// Replaces the rules. A running session continues. If sessions now end automatically, the idle
  /// time of that session starts at `moment`.
  public mutating func setRules(_ rules: SessionRules, at moment: Moment) {
    let former = self.rules
    self.rules = rules
    revision += 1
    if former.mode == .manual, rules.mode == .automatic, current != nil {
      let last = sessions.count - 1
      sessions[last].lastActive = max(sessions[last].lastActive, moment.instant)
    }
    for index in ended.indices {
      let touch = ended[index]
      ended[index].commitsAt = settling(
        touch.live, device: touch.device, ended: touch.ended)
    }
    updateNextCommit()
  }

  /// Changes the placement of a device. Touches that are down keep their placement. Other devices
  /// on the same display get its geometry.
  public mutating func setPlacement(
    _ placement: Placement, of device: DeviceIndex, at moment: Moment
  ) {
    guard placement != devices[device].placement else { return }
    // Add up what was shown on the former geometry before it is replaced.
    addShown(until: moment.monotonic)
    devices[device].placement = placement
    lay(placement)
    forgetDisplays(at: moment)
    revision += 1
  }

  /// Adds or updates the display of a placement. A new display shows the screen that was last named
  /// for all displays. A known display keeps its screen.
  mutating func lay(_ placement: Placement) {
    let name = placement.display
    displays[name] = (placement.geometry, displays[name]?.timeline ?? screens)
    for index in devices.indices where devices[index].placement.display == name {
      devices[index].placement.geometry = placement.geometry
      devices[index].placement.geometrySource = placement.geometrySource
      devices[index].candidates = masks.candidates(on: name)
    }
  }
}
