internal import Text
internal import TouchModel

extension API {
  /// The caller is in none of the groups that may call the method.
  public struct NotPermitted: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).NotPermitted"
    /// The role that the method needs: a raw value of `Role`. If several roles may call it, the
    /// first of them.
    public var role: String
    /// The group that the configuration gives this role to. nil if no group has it, and for
    /// `owner`.
    public var group: String?
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error and its message.
    /// - Parameters:
    ///   - role: the role that the method needs.
    ///   - group: the group that the configuration gives this role to; nil if no group has it.
    package init(_ role: Role, group: String?) {
      self.role = role.rawValue
      self.group = group
      if role == .owner {
        message =
          "permission denied: only root and the user that the daemon runs as may do this; use sudo"
        return
      }
      message =
        group.map {
          "this needs the role \(role.rawValue), given to the group \($0): run 'sudo usermod -aG "
            + "\($0) USER', then log in again"
        }
          ?? """
          this needs the role \(role.rawValue), which the configuration gives to no group; name one \
          in its section [roles]
          """
    }
  }

  /// A parameter has a value that is not allowed, or one that does not go with the other
  /// parameters.
  public struct InvalidValue: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).InvalidValue"
    /// The name of the parameter, such as `rotation` or `mask.rectangle`.
    public var parameter: String
    /// The rejected value, printable and cut to 128 characters.
    public var value: String
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error and its message.
    /// - Parameters:
    ///   - parameter: the name of the parameter.
    ///   - value: the value as the client sent it. This initializer makes it printable and cuts it.
    ///   - rule: the rule for valid values, such as `must be 0, 90, 180 or 270`.
    package init(_ parameter: String, _ value: String, _ rule: String) {
      self.parameter = parameter
      self.value = value.printable()
      message = "\(parameter) \(rule) (it is \"\(self.value)\")"
    }
  }

  /// No touchscreen lies on a display of this name.
  public struct NoSuchDisplay: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).NoSuchDisplay"
    /// The name that the client gave, printable and cut to 128 characters.
    public var display: String
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error and its message.
    /// - Parameters:
    ///   - display: the name that the client gave.
    ///   - known: the names of the displays that touchscreens lie on; the message lists them.
    package init(_ display: String, known: [String]) {
      self.display = display.printable()
      message =
        "unknown display \(self.display): no touchscreen lies on it"
        + (known.isEmpty
          ? "; there are no displays"
          : "; known: " + known.map { $0.printable() }.joined(separator: ", "))
    }
  }

  /// The name of a screen came too late for the change that it reports.
  public struct TooLate: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).TooLate"
    /// How long before the call the change happened, in µs.
    public var lateUs: Int64
    /// The highest accepted delay, in µs: `late_names` in the configuration.
    public var limitUs: Int64
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error and its message; both times are in µs.
    package init(lateUs: Int64, limitUs: Int64) {
      self.lateUs = lateUs
      self.limitUs = limitUs
      message = """
        the change is \(lateUs) µs old, and the limit is \(limitUs) µs (late_names in the \
        configuration); without changedAtUs the screen changes now
        """
    }
  }

  /// The daemon has reached a limit, and the call would exceed it.
  public struct LimitReached: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).LimitReached"
    /// What there are too many of: `screens`, `tags`, `masks`, `pauses`, `questions` (queries that
    /// wait for the store), `displays with a mode`, `sessions begun in a minute`,
    /// `displays changed in a minute` or `modes reported in a minute`.
    public var what: String
    /// The highest number that the daemon accepts.
    public var limit: Int64
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error and its message.
    /// - Parameters:
    ///   - what: what there are too many of, as in the property `what`.
    ///   - limit: the highest accepted number.
    ///   - hint: what the client can do about it; the message ends with it.
    ///   - words: what the message calls `what`; nil: the same.
    package init(_ what: String, limit: Int, hint: String, words: String? = nil) {
      self.what = what
      self.limit = Int64(limit)
      message = "too many \(words ?? what) (the limit is \(limit)); \(hint)"
    }
  }

  /// No session is running.
  public struct NoSession: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).NoSession"
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error and its message.
    package init() {
      message = "no session is running; BeginSession begins one"
    }
  }

  /// The session does not exist, or the store has deleted it.
  public struct NoSuchSession: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).NoSuchSession"
    /// The id of the session that the client asked for.
    public var session: Int64
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error and its message.
    /// - Parameter session: the id that the client asked for.
    package init(_ session: Int64) {
      self.session = session
      message = "there is no session \(session) (it may have been deleted); ListSessions lists all"
    }
  }

  /// No client has added this mask.
  public struct NoSuchMask: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).NoSuchMask"
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error and its message.
    package init() {
      message = """
        no client has added this mask; GetMasks lists all masks. To remove one that is in the \
        configuration, edit the file
        """
    }
  }

  /// The reply would be too long.
  public struct ReplyTooLong: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).ReplyTooLong"
    /// The size that the reply had reached when the daemon stopped composing it, in bytes. The
    /// whole reply would be at least as long.
    public var bytes: Int64
    /// The highest accepted size, in bytes.
    public var limit: Int64
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error and its message.
    /// - Parameters:
    ///   - bytes: the size that the reply reached, in bytes.
    ///   - limit: the highest accepted size, in bytes.
    ///   - wantsMore: whether the call has `more`. If not, the message suggests it.
    package init(bytes: Int, limit: Int, wantsMore: Bool) {
      self.bytes = Int64(bytes)
      self.limit = Int64(limit)
      message = """
        the reply is too long: \(bytes) bytes or more (the limit is \(limit)); ask for a shorter span or a \
        single screen\(wantsMore ? "" : ", or use \"more\"")
        """
    }
  }

  /// The store could not answer a query, or could not be changed.
  public struct StoreFailed: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).StoreFailed"
    /// The kind of the failure, such as ``onlyWholeDays``. Later versions may add codes. nil if the
    /// failure has none.
    public var code: String?
    /// What failed and why, as text for a person.
    public var message: String

    /// The code of a call with a span that covers only a part of a day from which sessions were
    /// deleted. The sums of that day cannot be divided.
    public static let onlyWholeDays = "onlyWholeDays"
    /// The code of a call with hours whose span covers sessions that were deleted, or that were
    /// recorded in another time zone.
    public static let hoursUnknown = "hoursUnknown"

    /// Creates the error.
    /// - Parameters:
    ///   - message: what failed and why.
    ///   - code: the kind of the failure.
    package init(_ message: String, code: String? = nil) {
      self.code = code
      self.message = message
    }
  }

  /// Too many clients are connected, in total or for the caller's user. The daemon closes the
  /// connection after this error.
  public struct TooManyClients: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).TooManyClients"
    /// The highest accepted number of connections.
    public var limit: Int64
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error.
    /// - Parameters:
    ///   - limit: the highest accepted number of connections.
    ///   - message: what was wrong and what to do.
    package init(limit: Int, message: String) {
      self.limit = Int64(limit)
      self.message = message
    }
  }

  /// The client read none of its waiting replies for 30 s, or too many bytes of them are waiting,
  /// or it has no role and made no call for 10 s. The daemon closes the connection after this
  /// error.
  public struct TooSlow: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).TooSlow"
    /// What was wrong and what to do, as text for a person.
    public var message: String

    /// Creates the error.
    /// - Parameter message: what was wrong and what to do.
    package init(_ message: String) { self.message = message }
  }

  /// The client sent bytes that are no Varlink message, or a message above the limit: 64 KiB, or 4
  /// KiB without a role. The daemon closes the connection after this error.
  public struct MalformedMessage: Fault {
    /// The fully qualified name of the error.
    public static let name = "\(interface).MalformedMessage"
    /// What was wrong, as text for a person.
    public var message: String

    /// Creates the error.
    /// - Parameter message: what was wrong.
    package init(_ message: String) { self.message = message }
  }
}
