public import ConfigurationFiles
internal import Glibc

/// Where the configuration is looked for.
public let defaultConfigurationPath = "/etc/touchgrid/touchgridd.toml"

extension Configuration {
  /// The default file; nil where there is none.
  public static var defaultPath: String? {
    // One that is there and cannot be read is an error, not a reason for the defaults.
    let isMissing = unsafe access(defaultConfigurationPath, F_OK) != 0 && errno == ENOENT
    return isMissing ? nil : defaultConfigurationPath
  }

  /// Reads the file that was named, else the default one if it is there, else takes the defaults.
  public static func load(_ path: String?) throws(ConfigurationError) -> Configuration {
    guard let path = path ?? defaultPath else { return .defaults }
    return try Configuration(path: path)
  }
}
