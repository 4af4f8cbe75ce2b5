public import ConfigurationFiles
internal import LinuxIO
internal import Text
internal import TouchModel

/// The configuration of a follower: its sources, and the rules for names.
public struct FollowConfiguration: Hashable, Sendable {
  /// A source of observations.
  public struct Source: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// A Chromium that was started with `--remote-debugging-port`.
      case devTools(port: Int)
      /// The focused window of a Wayland compositor, on one output or on each.
      case wayland(output: String?)
      /// The active window of an X server.
      case x11
      /// A named pipe with the name of a screen on each line; "-" is standard input.
      case pipe(path: String)
      /// A program that prints the name of a screen on each line.
      case command([String])
      /// The extension in the user's browsers. Programs that the browsers start forward its
      /// messages.
      case `extension`
      /// The browser that started this program, observed through its extension.
      case browser
    }

    public var kind: Kind
    /// The daemon's name of the display; nil for all displays.
    public var display: String?
    /// Whether to report the positions of controls to the daemon.
    public var controls: Bool

    public init(_ kind: Kind, display: String? = nil, controls: Bool = false) {
      self.kind = kind
      self.display = display
      self.controls = controls
    }
  }

  /// The path of the daemon's socket; nil for the default path.
  public var socket: String?
  public var names = ScreenNames.Options()
  /// The sources. The first source that knows the shown screen decides. If the list is empty, the
  /// windows of the desktop are observed.
  public var sources: [Source] = []
  public var rules: [ScreenRule] = []
  /// Set if rules mask more screens than the daemon accepts masks. Such a configuration is valid:
  /// touches on a screen that cannot be masked are recorded on another screen that is masked, or
  /// not at all.
  public internal(set) var excess: ConfigurationError?

  public init() {}

  /// Whether the extension is among the sources, so that a follower with this configuration
  /// receives its messages from the programs that browsers start.
  public var hasExtension: Bool { sources.contains { $0.kind == .extension } }

  /// The names of the screens that rules mask, each once, in alphabetical order.
  var maskedNames: [String] { Set(rules.compactMap(\.maskedName)).sorted() }
}

extension FollowConfiguration {
  /// Reads a configuration file.
  /// - Parameter path: A regular file of at most 1 MiB of UTF-8.
  /// - Throws: All errors in the file, or only one if the file cannot be read or parsed.
  public init(path: String) throws(ConfigurationError) {
    let bytes = try ConfigurationText.bytes(path)
    try self.init(text: ConfigurationText.text(bytes, file: path), file: path)
  }

  /// Returns the reason why root must not use the configuration at `path`, which names commands to
  /// run: another user could change it. nil if root may use it.
  public static func refusal(of path: String) -> String? {
    PathControl.fault(of: path, isStrict: true).map {
      "\(path.printable(limit: 4096)): root does not use this configuration: \($0). Run "
        + "touchgrid-follow as the user of the desktop, without sudo"
    }
  }

  /// The path of the user's configuration file or, if there is none, of the machine's; nil if
  /// neither exists.
  public static var standardPath: String? {
    let home = Environment.value("HOME").map { "\($0)/.config" }
    let folders = [Environment.value("XDG_CONFIG_HOME") ?? home].compactMap { $0 } + ["/etc"]
    return folders.map { "\($0)/touchgrid/follow.toml" }.first { isThere($0) }
  }
}
