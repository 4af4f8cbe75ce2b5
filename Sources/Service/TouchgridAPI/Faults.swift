internal import Text
internal import TouchModel

// The errors with their messages.

extension API.NotPermitted {
  /// - Parameters:
  ///   - role: the role that the method needs.
  ///   - group: the group that the configuration gives this role to; nil if no group has it.
  package init(_ role: API.Role, group: String?) {
    let message =
      if role == .owner {
        "permission denied: only root and the user that the daemon runs as may do this; use sudo"
      } else if let group {
        "this needs the role \(role.rawValue), given to the group \(group): run 'sudo usermod -aG "
          + "\(group) USER', then log in again"
      } else {
        """
        this needs the role \(role.rawValue), which the configuration gives to no group; name one \
        in its section [roles]
        """
      }
    self.init(role: role.rawValue, group: group, message: message)
  }
}

extension API.InvalidValue {
  /// - Parameters:
  ///   - parameter: the name of the parameter, such as `rotation` or `mask.rectangle`.
  ///   - value: the value as the client sent it. It is made printable and cut to 128 characters.
  ///   - rule: the rule for valid values, such as `must be 0, 90, 180 or 270`.
  package init(_ parameter: String, _ value: String, _ rule: String) {
    let value = value.printable()
    self.init(
      parameter: parameter, value: value, message: "\(parameter) \(rule) (it is \"\(value)\")")
  }
}

extension API.NoSuchDisplay {
  /// - Parameters:
  ///   - display: the name that the client gave. It is made printable and cut to 128 characters.
  ///   - known: the names of the displays that touchscreens lie on; the message lists them.
  package init(_ display: String, known: [String]) {
    let display = display.printable()
    self.init(
      display: display,
      message: "unknown display \(display): no touchscreen lies on it"
        + (known.isEmpty
          ? "; there are no displays"
          : "; known: " + known.map { $0.printable() }.joined(separator: ", ")))
  }
}

extension API.TooLate {
  /// - Parameters:
  ///   - lateUs: the time from the change to the call, in µs.
  ///   - limitUs: the highest accepted delay, in µs: `late_names` in the configuration.
  package init(lateUs: Int64, limitUs: Int64) {
    self.init(
      lateUs: lateUs, limitUs: limitUs,
      message: """
        the change is \(lateUs) µs old, and the limit is \(limitUs) µs (late_names in the \
        configuration); without changedAtUs the screen changes now
        """)
  }
}

extension API.LimitReached {
  /// - Parameters:
  ///   - what: the things of which there are too many, as in the property `what`.
  ///   - limit: the highest accepted number.
  ///   - hint: the remedy, with which the message ends.
  ///   - words: the text for `what` in the message; nil for `what` itself.
  package init(_ what: String, limit: Int, hint: String, words: String? = nil) {
    self.init(
      what: what, limit: Int64(limit),
      message: "too many \(words ?? what) (the limit is \(limit)); \(hint)")
  }
}

extension API.NoSession {
  package init() { self.init(message: "no session is running; BeginSession begins one") }
}

extension API.NoSuchSession {
  /// - Parameter session: the id that the client asked for.
  package init(_ session: Int64) {
    self.init(
      session: session,
      message:
        "there is no session \(session) (it may have been deleted); ListSessions lists all")
  }
}

extension API.NoSuchMask {
  package init() {
    self.init(
      message: """
        no client has added this mask; GetMasks lists all masks. To remove one that is in the \
        configuration, edit the file
        """)
  }
}

extension API.ReplyTooLong {
  /// - Parameters:
  ///   - bytes: the size that the reply reached, in bytes.
  ///   - limit: the highest accepted size, in bytes.
  ///   - wantsMore: whether the call has `more`. If not, the message suggests it.
  package init(bytes: Int, limit: Int, wantsMore: Bool) {
    self.init(
      bytes: Int64(bytes), limit: Int64(limit),
      message: """
        the reply is too long: \(bytes) bytes or more (the limit is \(limit)); ask for a shorter span or a \
        single screen\(wantsMore ? "" : ", or use \"more\"")
        """)
  }
}
