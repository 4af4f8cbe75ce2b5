public import ConfigurationFiles
internal import Glibc

/// The path of the default configuration file.
public let defaultConfigurationPath = "/etc/touchgrid/touchgridd.toml"

extension Configuration {
  /// The path of the default file; nil if it does not exist.
  public static var defaultPath: String? {
    // A file that exists but cannot be read is an error, not a reason to use the defaults.
    let isMissing = unsafe access(defaultConfigurationPath, F_OK) != 0 && errno == ENOENT
    return isMissing ? nil : defaultConfigurationPath
  }

  /// Reads the named file, or else the default file, or else returns the defaults.
  public static func load(_ path: String?) throws(ConfigurationError) -> Configuration {
    guard let path = path ?? defaultPath else { return .defaults }
    return try Configuration(path: path)
  }
}
