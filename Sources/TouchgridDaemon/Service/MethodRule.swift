internal import TouchgridAPI

/// Who may call a method of the interface, and when it is called.
struct MethodRule: Sendable {
  let method: String
  /// Any of these may; the first is the one that others are told of.
  let roles: [API.Role]
  /// It decides what is masked or counted from now on, so it goes before all that is not urgent.
  let isUrgent: Bool

  private init<M: TouchgridAPI.Method>(
    _ method: M.Type, _ roles: API.Role..., isUrgent: Bool = false
  ) {
    self.method = method.name
    self.roles = roles
    self.isUrgent = isUrgent
  }

  /// Every method. `io.touchgrid.varlink` tells clients the same roles.
  static let all = [
    MethodRule(API.GetStatus.self, .read),
    MethodRule(API.GetDevices.self, .read),
    MethodRule(API.GetDisplays.self, .read),
    MethodRule(API.SetDisplay.self, .app),
    MethodRule(API.SetDisplayMode.self, .app),
    MethodRule(API.GetScreen.self, .app, .read),
    MethodRule(API.SetScreen.self, .app, isUrgent: true),
    MethodRule(API.Follow.self, .app, isUrgent: true),
    MethodRule(API.BeginSession.self, .app),
    MethodRule(API.EndSession.self, .app),
    MethodRule(API.TagSession.self, .app),
    MethodRule(API.Pause.self, .app, isUrgent: true),
    MethodRule(API.Resume.self, .app),
    MethodRule(API.GetMasks.self, .app, .read),
    MethodRule(API.AddMask.self, .app, isUrgent: true),
    MethodRule(API.RemoveMask.self, .app, isUrgent: true),
    MethodRule(API.ListSessions.self, .read),
    MethodRule(API.ListDays.self, .read),
    MethodRule(API.ListScreens.self, .read),
    MethodRule(API.GetGrids.self, .read),
    MethodRule(API.Forget.self, .owner),
    MethodRule(API.WatchTouches.self, .watch),
  ]

  /// Compares bytes: `String` would normalise whatever a client sends.
  static func of(_ method: String) -> MethodRule? {
    all.first { $0.method.utf8.elementsEqual(method.utf8) }
  }
}
