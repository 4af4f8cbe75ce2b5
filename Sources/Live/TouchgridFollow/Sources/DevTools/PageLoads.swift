internal import Text

/// Queries which pages of a browser could not be loaded: for an error page, the browser reports the
/// requested address. To query them, this program attaches to the pages, without enabling anything
/// in them.
struct PageLoads {
  /// A call to be sent. Report its number with `sent`.
  enum Call {
    case attach(target: String)
    case ask(target: String, session: String)

    var target: String {
      switch self {
      case .attach(let target), .ask(let target, _): target
      }
    }
  }

  private struct State {
    var session: String?
    /// The number of the call without an answer; nil if there is none.
    var call: Int?
  }

  private var states: [String: State] = [:]

  /// Records the number of a call that was sent.
  mutating func sent(_ call: Call, as number: Int) { states[call.target]?.call = number }

  /// Applies a message that was already applied to the pages, and its consequences for them.
  /// - Returns: the calls to send.
  mutating func handle(_ message: ArraySlice<UInt8>, _ pages: inout BrowserPages) -> [Call] {
    read(message, &pages)
    let wanted = pages.unasked
    for target in states.keys where pages.url(of: target) == nil { states[target] = nil }
    var calls: [Call] = []
    for target in wanted {
      let state = states[target, default: State()]
      states[target] = state
      guard state.call == nil else { continue }
      if let session = state.session {
        calls.append(.ask(target: target, session: session))
        pages.ask(target)
      } else {
        calls.append(.attach(target: target))
      }
    }
    return calls
  }

  private mutating func read(_ message: ArraySlice<UInt8>, _ pages: inout BrowserPages) {
    guard let head = pages.head else { return }
    if head.method == "Target.detachedFromTarget" {
      let event = try? JSON.decode(PageMessages.Event<PageMessages.Detached>.self, from: message)
      guard let gone = event?.params.sessionId,
        let target = states.first(where: { $0.value.session == gone })?.key
      else { return }
      states[target] = nil
      return pages.answer(nil, of: target)
    }
    guard head.method == nil, let number = head.id,
      let target = states.first(where: { $0.value.call == number })?.key
    else { return }
    states[target]?.call = nil
    if states[target]?.session != nil {
      let reply = try? JSON.decode(
        PageMessages.Reply<PageMessages.Frames>.self, from: message)
      pages.answer(reply?.result.frameTree.frame, of: target)
    } else {
      let reply = try? JSON.decode(
        PageMessages.Reply<PageMessages.Session>.self, from: message)
      states[target]?.session = reply?.result.sessionId
      // Without a session the target cannot be queried.
      if reply == nil { pages.answer(nil, of: target) }
    }
  }
}
