/// Rules and places that change while touches are down.
extension SessionRecorder {
  /// Other rules hold from now on. A running session goes on; where sessions now end by themselves, its idle
  /// time counts from here.
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
      ended[index].settles = settling(
        touch.live, device: touch.device, ended: touch.ended)
    }
    updateNextSettling()
  }

  /// The device lies otherwise from now on; touches that are down stay where they are. Whatever else lies on
  /// the same display takes over the geometry.
  public mutating func setPlacement(
    _ placement: Placement, of device: DeviceIndex, at moment: Moment
  ) {
    guard placement != devices[device].placement else { return }
    // What was shown on the former geometry is added up before there is another.
    addShown(until: moment.monotonic)
    devices[device].placement = placement
    lay(placement)
    forgetDisplays(at: moment)
    revision += 1
  }

  /// A display is as a device's placement has it: a new one shows what was last said of all, a known one goes
  /// on showing what it shows.
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
