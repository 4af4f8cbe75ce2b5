internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI

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

    /// - Returns: nil if it cannot be on a display.
    var observed: ObservedControls.Item? {
      Place(x: x, y: y, width: width, height: height).rectangle.map {
        ObservedControls.Item(role: role, label: label, rectangle: $0)
      }
    }
  }

  var url: String
  /// The size of the browser's screen, in CSS pixels without zoom.
  var width: Double
  var height: Double
  /// Whether the page fills the screen.
  var fills: Bool
  var items: [Item]
  var secrets: [Place]

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
      items: items.prefix(ScreenControls.limit).compactMap(\.observed), time: time,
      secrets: secrets.prefix(64).compactMap(\.rectangle))
  }
}

/// How a page responded to a touch of a control, as the script in it says.
struct PageResponse: Decodable, Equatable, Sendable {
  var url: String
  var item: PageControls.Item
  /// How long ago the touch ended, in ms.
  var agoMs: Double
  /// The time from then until the page changed near it; nil if it did not.
  var responseMs: Double?
  /// Whether the page is about to go away, which will be the response.
  var leaves: Bool

  /// - Parameter time: when the page said so on `CLOCK_MONOTONIC`, in µs.
  /// - Returns: nil if the numbers cannot be.
  func observed(on display: String?, at time: Int64) -> ObservedResponse? {
    guard (0...5000).contains(agoMs), (0...5000).contains(responseMs ?? 0),
      let item = item.observed
    else { return nil }
    // A page that was stopped may tell of a change that came too late.
    let milliseconds = responseMs.map { Int64($0.rounded()) }
    return ObservedResponse(
      display: display, url: url, item: item, ended: time - Int64(1000 * agoMs),
      milliseconds: milliseconds.flatMap { $0 <= API.AddResponse.limitMs ? $0 : nil },
      leaves: leaves)
  }
}

/// What the script in a page says.
enum PageReport: Equatable, Sendable {
  case controls(PageControls)
  case response(PageResponse)

  /// - Returns: nil if the text is neither.
  init?(_ text: String) {
    let bytes = Array(text.utf8)[...]
    if let controls = try? JSON.decode(PageControls.self, from: bytes) {
      self = .controls(controls)
    } else if let response = try? JSON.decode(PageResponse.self, from: bytes) {
      self = .response(response)
    } else {
      return nil
    }
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
  /// The responses that were told since they were taken, with the page.
  private var responses: [(target: String, response: PageResponse)] = []

  /// The script that looks for controls, with the function that it calls.
  private static let script =
    String(decoding: PackageResources.controls_js, as: UTF8.self)
    + "touchgridControls(globalThis.\(PageMessages.binding), globalThis.\(PageMessages.binding));"

  /// What a page told last; nil if nothing.
  func controls(of target: String?) -> PageControls? { target.flatMap { controls[$0] } }

  /// Returns what a page told of responses since the last call.
  mutating func takeResponses(of target: String?) -> [PageResponse] {
    defer { responses = [] }
    return responses.filter { $0.target == target }.map(\.response)
  }

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
