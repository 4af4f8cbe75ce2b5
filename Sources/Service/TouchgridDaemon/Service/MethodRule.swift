internal import TouchgridAPI

/// The roles that may call a method, and its priority.
struct MethodRule: Sendable {
  let method: String
  /// The caller needs one of these roles. If it has none, the error names the first.
  let roles: [API.Role]
  /// Whether calls of the method are served before all others, because a delay could change which
  /// touches are masked or counted. Applies to callers with the role `app` and to owners.
  let isUrgent: Bool

  private init<M: TouchgridAPI.Method>(
    _ method: M.Type, _ roles: API.Role..., isUrgent: Bool = false
  ) {
    self.method = method.name
    self.roles = roles
    self.isUrgent = isUrgent
  }

  /// The rules of all methods. `io.touchgrid.varlink` documents the same roles.
  static let all = [
    MethodRule(API.GetStatus.self, .read),
    MethodRule(API.GetDevices.self, .read),
    MethodRule(API.GetDisplays.self, .app, .read),
    MethodRule(API.SetDisplay.self, .app),
    MethodRule(API.SetDisplayMode.self, .app, isUrgent: true),
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
    MethodRule(API.GetControls.self, .app, .read),
    MethodRule(API.SetControls.self, .app),
    MethodRule(API.AddResponse.self, .app),
    MethodRule(API.ListSessions.self, .read),
    MethodRule(API.ListDays.self, .read),
    MethodRule(API.ListScreens.self, .read),
    MethodRule(API.GetGrids.self, .read),
    MethodRule(API.GetCounts.self, .read),
    MethodRule(API.Forget.self, .owner),
    MethodRule(API.WatchTouches.self, .watch),
    MethodRule(API.WatchActivity.self, .signal),
  ]

  /// Returns the rule of a method; nil for an unknown method. Compares bytes, because `==` of
  /// `String` would also accept other spellings that Unicode considers equal.
  static func of(_ method: String) -> MethodRule? {
    all.first { $0.method.utf8.elementsEqual(method.utf8) }
  }
}
