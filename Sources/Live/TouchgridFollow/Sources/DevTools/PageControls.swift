internal import LinuxIO
internal import Text
internal import TouchModel

/// Where the controls of a page are, as the script in it says. Every text and number in it may be
/// the page's.
struct PageControls: Decodable, Equatable, Sendable {
  struct Place: Decodable, Equatable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// - Returns: nil if it cannot be a place on a display.
    var rectangle: Rectangle? {
      guard [x, y, width, height].allSatisfy({ abs($0) <= 100_000 }) else { return nil }
      return Rectangle(x: x, y: y, width: width, height: height)
    }
  }

  struct Item: Decodable, Equatable, Sendable {
    var role: String
    var label: String
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  var url: String
  /// The size of the browser's screen, in CSS pixels without zoom.
  var width: Double
  var height: Double
  /// Whether the page fills the screen.
  var fills: Bool
  var items: [Item]
  var secrets: [Place]

  /// Decodes what the script in a page told.
  /// - Returns: nil if the text says nothing about controls.
  init?(told text: String) {
    guard let controls = try? JSON.decode(Self.self, from: Array(text.utf8)[...]) else {
      return nil
    }
    self = controls
  }

  /// Returns the events that report what the page that is shown told last.
  /// - Parameter controls: nil if the controls are not known.
  static func events(
    _ controls: Self?, on display: String?, at time: Int64
  ) -> [SourceEvent] {
    let observed = controls?.observed(on: display, at: time)
    var events = [observed.map { .controls($0) } ?? SourceEvent.noControls(display: display)]
    if let controls, !controls.fills {
      events.append(
        .state(
          "the page does not fill the screen, so its controls are not counted: show it full screen"
        ))
    }
    return events
  }

  /// - Returns: nil if the page does not fill the screen, or if its size cannot be one.
  func observed(on display: String?, at time: Int64) -> ObservedControls? {
    guard fills, (1...100_000).contains(width), (1...100_000).contains(height) else { return nil }
    return ObservedControls(
      display: display, url: url, width: width, height: height,
      items: items.prefix(ScreenControls.limit).compactMap { item in
        let place = Place(x: item.x, y: item.y, width: item.width, height: item.height)
        return place.rectangle.map {
          ObservedControls.Item(role: item.role, label: item.label, rectangle: $0)
        }
      }, time: time, secrets: secrets.prefix(64).compactMap(\.rectangle))
  }
}

/// The pages of a browser that this program is attached to, to look for their controls.
struct AttachedPages {
  /// A call that is to be sent.
  struct Call {
    var method: String
    var parameters: any Encodable & Sendable
    var session: String?
  }

  /// The sessions by page; nil until the browser has answered.
  private var sessions: [String: String?] = [:]
  private var controls: [String: PageControls] = [:]

  /// The script that looks for controls, with the function that it calls.
  private static let script =
    String(decoding: PackageResources.controls_js, as: UTF8.self)
    + "touchgridControls(globalThis.\(PageMessages.binding));"

  /// What a page told last; nil if nothing.
  func controls(of target: String?) -> PageControls? { target.flatMap { controls[$0] } }

  /// The session of a page; nil if this program is not attached to it.
  func session(of target: String?) -> String? { target.flatMap { sessions[$0] ?? nil } }

  /// Applies a message.
  /// - Parameters:
  ///   - targets: the pages that there are.
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
        // Without it, the browser reports no call of the binding.
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
      // Attach again with the next message, if the page is still there.
      sessions[target] = nil
      controls[target] = nil
    case "Runtime.bindingCalled":
      guard let told = try? JSON.decode(PageMessages.Told.self, from: message),
        told.params.name == PageMessages.binding,
        let target = sessions.first(where: { $0.value == told.sessionId })?.key
      else { break }
      controls[target] = PageControls(told: told.params.payload)
    default: break
    }
    return calls
  }
}
