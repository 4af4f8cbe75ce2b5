internal import TouchModel

extension API {
  public struct NotPermitted: Fault {
    public static let name = "\(interface).NotPermitted"
    public var role: String
    public var group: String?
    public var message: String

    /// - Parameter group: the group that the configuration gives the role to.
    public init(_ role: Role, group: String?) {
      self.role = role.rawValue
      self.group = group
      if role == .owner {
        message = "only root, and the user that the daemon runs as, may do this: try it with sudo"
        return
      }
      message =
        group.map {
          "this needs the role \(role.rawValue), which the group \($0) has; add the user to it "
            + "(usermod -aG \($0) USER) and log in again"
        }
          ?? """
          this needs the role \(role.rawValue), which the configuration gives to no group; name one \
          in its section [roles]
          """
    }
  }

  public struct InvalidValue: Fault {
    public static let name = "\(interface).InvalidValue"
    public var parameter: String
    public var value: String
    public var message: String

    /// - Parameters:
    ///   - value: as it was sent; made printable and cut here.
    ///   - rule: what is taken, such as `must be 0, 90, 180 or 270`.
    public init(_ parameter: String, _ value: String, _ rule: String) {
      self.parameter = parameter
      self.value = value.printable()
      message = "\(parameter) \(rule), not \"\(self.value)\""
    }
  }

  public struct NoSuchDisplay: Fault {
    public static let name = "\(interface).NoSuchDisplay"
    public var display: String
    public var message: String

    /// - Parameter known: the displays that there are.
    public init(_ display: String, known: [String]) {
      self.display = display.printable()
      message =
        "no touchscreen lies on a display \(self.display)"
        + (known.isEmpty
          ? ": there is none"
          : "; known: " + known.map { $0.printable() }.joined(separator: ", "))
    }
  }

  public struct TooLate: Fault {
    public static let name = "\(interface).TooLate"
    public var lateUs: Int64
    public var limitUs: Int64
    public var message: String

    public init(lateUs: Int64, limitUs: Int64) {
      self.lateUs = lateUs
      self.limitUs = limitUs
      message = """
        the change lies \(lateUs) µs back and is taken for up to \(limitUs) µs (late_names in the \
        configuration); the screen is named all the same if it is sent without changedAtUs
        """
    }
  }

  public struct LimitReached: Fault {
    public static let name = "\(interface).LimitReached"
    public var what: String
    public var limit: Int64
    public var message: String

    /// - Parameter what: `screens`, `tags`, `masks`, `pauses` or `questions`.
    public init(_ what: String, limit: Int, hint: String) {
      self.what = what
      self.limit = Int64(limit)
      message = "there are \(limit) \(what) already, the most that there may be; \(hint)"
    }
  }

  public struct NoSession: Fault {
    public static let name = "\(interface).NoSession"
    public var message: String

    public init() {
      message = "no session runs; BeginSession begins one"
    }
  }

  public struct NoSuchSession: Fault {
    public static let name = "\(interface).NoSuchSession"
    public var session: Int64
    public var message: String

    public init(_ session: Int64) {
      self.session = session
      message = "there is no session \(session), or no longer; ListSessions lists them"
    }
  }

  public struct NoSuchMask: Fault {
    public static let name = "\(interface).NoSuchMask"
    public var message: String

    public init() {
      message = """
        no client has added exactly this mask; GetMasks lists them, and those of the \
        configuration are removed there
        """
    }
  }

  public struct ReplyTooLong: Fault {
    public static let name = "\(interface).ReplyTooLong"
    public var bytes: Int64
    public var limit: Int64
    public var message: String

    /// - Parameters:
    ///   - bytes: what it has at the least: it is not written to its end.
    ///   - wantsMore: whether it was asked for with "more".
    public init(bytes: Int, limit: Int, wantsMore: Bool) {
      self.bytes = Int64(bytes)
      self.limit = Int64(limit)
      message = """
        the reply has \(bytes) bytes or more, and may have \(limit); ask for less at a time: a shorter span, or \
        one screen after the other\(wantsMore ? "" : ", or with \"more\"")
        """
    }
  }

  public struct StoreFailed: Fault {
    public static let name = "\(interface).StoreFailed"
    public var message: String

    public init(_ message: String) { self.message = message }
  }

  public struct TooManyClients: Fault {
    public static let name = "\(interface).TooManyClients"
    public var limit: Int64
    public var message: String

    public init(limit: Int, message: String) {
      self.limit = Int64(limit)
      self.message = message
    }
  }

  public struct TooSlow: Fault {
    public static let name = "\(interface).TooSlow"
    public var message: String

    public init(_ message: String) { self.message = message }
  }

  public struct MalformedMessage: Fault {
    public static let name = "\(interface).MalformedMessage"
    public var message: String

    public init(_ message: String) { self.message = message }
  }
}
