internal import LinuxIO
internal import Text

/// The pages of a browser to which this program is attached, to find their controls.
struct AttachedPages {
  /// A call to be sent.
  struct Call {
    var method: String
    var parameters: any Encodable & Sendable
    var session: String?
  }

  /// The sessions by page; nil until the browser has answered.
  private var sessions: [String: String?] = [:]
  private var controls: [String: PageControls] = [:]
  /// The responses that were not fetched yet, each with its page.
  private var responses: [(target: String, response: PageResponse)] = []

  /// The script that finds controls, with the function that it calls.
  private static let script =
    String(decoding: PackageResources.controls_js, as: UTF8.self)
    + "touchgridControls(globalThis.\(PageMessages.binding), globalThis.\(PageMessages.binding));"

  /// The last report of a page; nil if there was none.
  func controls(of target: String?) -> PageControls? { target.flatMap { controls[$0] } }

  /// Returns the responses of a page since the last call, and forgets those of other pages.
  mutating func takeResponses(of target: String?) -> [PageResponse] {
    defer { responses = [] }
    return responses.filter { $0.target == target }.map(\.response)
  }

  /// The session of a page; nil if this program is not attached to it.
  func session(of target: String?) -> String? { target.flatMap { sessions[$0] ?? nil } }

  /// Applies a message.
  /// - Parameters:
  ///   - targets: all pages.
  ///   - wantsControls: whether to look for controls in them.
  /// - Returns: the calls to send.
  mutating func handle(
    _ message: ArraySlice<UInt8>, targets: [String], wantsControls: Bool
  ) -> [Call] {
    var calls: [Call] = []
    for target in targets where !sessions.keys.contains(target) {
      sessions.updateValue(nil, forKey: target)
      calls.append(
        Call(method: "Target.attachToTarget", parameters: PageMessages.Attachment(targetId: target))
      )
    }
    for target in sessions.keys where !targets.contains(target) {
      sessions[target] = nil
      controls[target] = nil
    }
    switch (try? JSON.decode(PageMessages.Head.self, from: message))?.method {
    case "Target.attachedToTarget":
      let event = try? JSON.decode(
        PageMessages.Event<PageMessages.Attached>.self, from: message)
      guard let attached = event?.params, sessions.keys.contains(attached.targetInfo.targetId)
      else { break }
      let session = attached.sessionId
      sessions[attached.targetInfo.targetId] = session
      guard wantsControls else { break }
      calls += [
        Call(method: "Page.enable", parameters: PageMessages.Nothing(), session: session),
        // Without this call, the browser does not report calls of the binding.
        Call(method: "Runtime.enable", parameters: PageMessages.Nothing(), session: session),
        Call(method: "Runtime.addBinding", parameters: PageMessages.Binding(), session: session),
        Call(
          method: "Page.addScriptToEvaluateOnNewDocument",
          parameters: PageMessages.Script(source: Self.script), session: session),
      ]
    case "Target.detachedFromTarget":
      let event = try? JSON.decode(
        PageMessages.Event<PageMessages.Detached>.self, from: message)
      guard let gone = event?.params.sessionId,
        let target = sessions.first(where: { $0.value == gone })?.key
      else { break }
      // Attach again at the next message, if the page still exists.
      sessions[target] = nil
      controls[target] = nil
    case "Runtime.bindingCalled":
      guard let told = try? JSON.decode(PageMessages.Told.self, from: message),
        told.params.name == PageMessages.binding,
        let target = sessions.first(where: { $0.value == told.sessionId })?.key
      else { break }
      switch PageReport(told.params.payload) {
      case .controls(let told): controls[target] = told
      case .response(let told): responses.append((target, told))
      case nil: controls[target] = nil
      }
    default: break
    }
    return calls
  }
}
