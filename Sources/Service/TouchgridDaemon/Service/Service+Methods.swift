internal import TouchModel
internal import TouchgridAPI
internal import Varlink

// The methods with one immediate reply. The others are in the files of their subjects.

extension Service: MethodHandlers {
  /// Answers a call of any method of the interface.
  /// - Throws: the error reply, if the call fails at once.
  func receive(_ call: Call, at moment: Moment) throws(VarlinkError) {
    // The server has checked this before it decoded the parameters. Since then, the call may have
    // waited for a round, and a reload of the configuration may have changed the caller's roles.
    try access.check(call.method, by: call.peer)
    // Touches that came before the call count before it takes effect. A caller who may not change
    // anything must not divide the steps in which masked touches are read.
    switch access.privilege(of: call.peer) {
    case .owner, .urgent: devices.readWaiting(.all, at: moment)
    case .withRole: devices.readWaiting(.unmasked, at: moment)
    case .withoutRole: break
    }
    try answer(call, moment)
  }

  func getStatus(_: API.GetStatus, _: Call, _ moment: Moment) -> API.GetStatus.Reply? {
    status(at: moment)
  }

  func getDevices(_: API.GetDevices, _: Call, _ moment: Moment) -> API.GetDevices.Reply? {
    API.GetDevices.Reply(devices: devices.devices(at: moment), refused: devices.refused)
  }

  func getDisplays(_: API.GetDisplays, _: Call, _: Moment) -> API.GetDisplays.Reply? {
    API.GetDisplays.Reply(displays: displays())
  }

  func follow(_: API.Follow, _ call: Call, _: Moment) -> API.NoReply? {
    followers.add(call.id.connection)
    return API.NoReply()
  }

  func resume(_ wish: API.Resume, _ call: Call, _ moment: Moment) -> API.NoReply? {
    end(wish.all == true ? pauses.endAll() : pauses.end(call.id.connection), at: moment)
    return API.NoReply()
  }

  func getMasks(_: API.GetMasks, _: Call, _: Moment) -> API.GetMasks.Reply? {
    API.GetMasks.Reply(
      configured: configuredMasks.map(API.Mask.init), added: addedMasks.map(API.Mask.init),
      widened: capture.widenedMasks.map(API.Mask.init),
      everything: capture.masksEverything || capture.hasTooManyMasks,
      revision: capture.recorder.maskRevision)
  }

  func getControls(
    _: API.GetControls, _ call: Call, _: Moment
  ) throws(VarlinkError) -> API.GetControls.Reply? {
    let (configured, added) = (configuredControls, addedControls)
    try compose(call) { _ throws(VarlinkError) in
      let reply = API.GetControls.Reply(
        configured: configured.map { API.ScreenControls($0) },
        added: added.map { API.ScreenControls($0) })
      return [EncodedReply(reply)]
    }
    return nil
  }
}
