public import ConfigurationFiles
internal import LinuxIO
public import ScreenNaming
internal import TouchModel

/// What a follower is to look at, and how it is to call what it sees.
public struct FollowConfiguration: Hashable, Sendable {
  /// Where screens are seen.
  public struct Source: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// A Chromium that was started with `--remote-debugging-port`.
      case devTools(port: Int)
      /// The focused window on a Wayland compositor; on one output alone, or on each.
      case wayland(output: String?)
      /// The active window of an X server.
      case x11
      /// A named pipe, in which a line is a screen's name; "-" is standard input.
      case pipe(path: String)
      /// A program, of whose output a line is a screen's name.
      case command([String])
      /// The extension in browsers of this user, handed on by the programs that they run.
      case `extension`
      /// The browser that runs this program, by the extension in it.
      case browser
    }

    public var kind: Kind
    /// As the daemon calls it; nil: all displays.
    public var display: String?

    public init(_ kind: Kind, display: String? = nil) {
      self.kind = kind
      self.display = display
    }
  }

  /// Of the daemon's socket; nil: where it usually is.
  public var socket: String?
  public var names = ScreenNames.Options()
  /// The first that knows what is shown decides. Empty: the windows of the desktop.
  public var sources: [Source] = []
  public var rules: [ScreenRule] = []
  /// More screens are masked by rules than the daemon takes masks. Such a configuration can be used: what cannot be masked
  /// under its own name is recorded as another masked screen.
  public internal(set) var excess: ConfigurationError?

  public init() {}

  /// A follower with this configuration has browsers' programs hand on what the extension tells.
  public var hasExtension: Bool { sources.contains { $0.kind == .extension } }

  /// Names of screens that are masked by rules, each once.
  var maskedNames: [String] { Set(rules.compactMap(\.maskedName)).sorted() }
}

extension FollowConfiguration {
  /// Reads a configuration file.
  /// - Parameter path: of a regular file of at most 1 MiB of UTF-8.
  /// - Throws: everything that is wrong with it, where its syntax lets one see.
  public init(path: String) throws(ConfigurationError) {
    let bytes = try ConfigurationText.bytes(path)
    try self.init(text: ConfigurationText.text(bytes, file: path), file: path)
  }

  /// Why root follows with no such configuration: it says which commands are run, and another user could change it.
  /// nil where nothing is wrong.
  public static func refusal(of path: String) -> String? {
    PathControl.fault(of: path).map {
      "\(path.printable(limit: 4096)): root runs nothing by this configuration: \($0). Run this as that user, "
        + "without sudo"
    }
  }

  /// The first of the files that are looked for: the user's, then the machine's; nil where neither is there.
  public static var standardPath: String? {
    let home = Environment.value("HOME").map { "\($0)/.config" }
    let folders = [Environment.value("XDG_CONFIG_HOME") ?? home].compactMap { $0 } + ["/etc"]
    return folders.map { "\($0)/touchgrid/follow.toml" }.first { isThere($0) }
  }
}
