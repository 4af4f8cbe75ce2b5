internal import TouchModel
internal import TouchgridAPI
internal import Varlink

extension Service {
  /// Answers a call of any method of the interface.
  /// - Throws: the error reply, if the call fails at once.
  func answer(_ call: Call, at moment: Moment) throws(VarlinkError) {
    // The server has checked this before it decoded the parameters. Since then, the call may have
    // waited for a round, and a reload of the configuration may have changed the caller's roles.
    try access.check(call.method, by: call.peer)
    switch call.method {
    case API.GetStatus.name:
      try handle(API.GetStatus.self, call) { _ in status(at: moment) }
    case API.GetDevices.name:
      try handle(API.GetDevices.self, call) { _ in
        API.GetDevices.Reply(devices: devices.devices(at: moment), refused: devices.refused)
      }
    case API.GetDisplays.name:
      try handle(API.GetDisplays.self, call) { _ in
        API.GetDisplays.Reply(displays: displays())
      }
    case API.SetDisplay.name:
      try handle(API.SetDisplay.self, call) { change throws(VarlinkError) in
        try set(change, at: moment)
      }
    case API.SetDisplayMode.name:
      try handle(API.SetDisplayMode.self, call) { change throws(VarlinkError) in
        try set(change, by: call, at: moment)
      }
    case API.GetScreen.name:
      try handle(API.GetScreen.self, call) { parameters throws(VarlinkError) in
        try screen(parameters)
      }
    case API.SetScreen.name:
      try handle(API.SetScreen.self, call) { change throws(VarlinkError) in
        try set(change, by: call.id.connection, at: moment)
      }
    case API.Follow.name: try follow(call)
    case API.BeginSession.name:
      try handle(API.BeginSession.self, call) { wish throws(VarlinkError) in
        try begin(wish, at: moment)
      }
    case API.EndSession.name:
      try handle(API.EndSession.self, call) { _ throws(VarlinkError) in
        try endSession(at: moment)
      }
    case API.TagSession.name:
      try handle(API.TagSession.self, call) { wish throws(VarlinkError) in
        try tag(wish, at: moment)
      }
    case API.Pause.name: try pause(call, at: moment)
    case API.Resume.name:
      try handle(API.Resume.self, call) { wish in
        end(
          wish.all == true ? pauses.endAll() : pauses.end(call.id.connection), at: moment)
        return API.NoReply()
      }
    case API.GetMasks.name:
      try handle(API.GetMasks.self, call) { _ in
        API.GetMasks.Reply(
          configured: configuredMasks.map(API.Mask.init), added: addedMasks.map(API.Mask.init),
          widened: capture.widenedMasks.map(API.Mask.init),
          everything: capture.masksEverything || capture.hasTooManyMasks,
          revision: capture.recorder.maskRevision)
      }
    case API.AddMask.name:
      try handle(API.AddMask.self, call) { wish throws(VarlinkError) in
        try add(wish.mask, at: moment)
      }
    case API.RemoveMask.name:
      try handle(API.RemoveMask.self, call) { wish throws(VarlinkError) in
        try remove(wish.mask, at: moment)
      }
    case API.GetControls.name:
      _ = try call.parameters(API.GetControls.self)
      let (configured, added) = (configuredControls, addedControls)
      try compose(call) { _ throws(VarlinkError) in
        let reply = API.GetControls.Reply(
          configured: configured.map { API.ScreenControls($0) },
          added: added.map { API.ScreenControls($0) })
        return [EncodedReply(reply)]
      }
    case API.SetControls.name:
      try handle(API.SetControls.self, call) { wish throws(VarlinkError) in
        try set(wish, at: moment)
      }
    case API.AddResponse.name:
      try handle(API.AddResponse.self, call) { wish throws(VarlinkError) in
        try add(wish, at: moment)
      }
    case API.ListSessions.name: try listSessions(call, at: moment)
    case API.ListDays.name: try listDays(call, at: moment)
    case API.ListScreens.name: try listScreens(call)
    case API.GetGrids.name: try getGrids(call, at: moment)
    case API.GetCounts.name: try getCounts(call)
    case API.Forget.name: try forget(call, at: moment)
    case API.WatchTouches.name: try watch(call, at: moment)
    case API.WatchActivity.name: try watchActivity(call, at: moment)
    default: throw .methodNotFound(call.method)
    }
  }
}
