internal import Text

/// Asks a browser which of its pages could not be loaded, because it reports the address that was
/// wanted for an error page. To ask, this program attaches to the pages. It turns nothing on in them.
struct PageLoads {
  /// A call that is to be sent. Its number must be reported by `sent`.
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
    /// The number of the call that has no answer yet.
    var call: Int?
  }

  private var states: [String: State] = [:]

  /// Records the number of a call that was sent.
  mutating func sent(_ call: Call, as number: Int) { states[call.target]?.call = number }

  /// Applies a message that was applied to the pages, and what it says of them.
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
      // Without a session nobody can be asked.
      if reply == nil { pages.answer(nil, of: target) }
    }
  }
}
