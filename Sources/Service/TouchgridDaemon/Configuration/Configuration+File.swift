public import ConfigurationFiles
internal import Glibc

extension Configuration {
  /// Reads a configuration file.
  /// - Parameter path: the path of a regular file of at most 1 MiB of UTF-8.
  /// - Throws: all errors in the file, or only the syntax errors if there are any; or that the file
  ///   cannot be read.
  public init(path: String) throws(ConfigurationError) {
    try self.init(bytes: ConfigurationText.bytes(path), file: path)
  }

  init(bytes: [UInt8], file: String) throws(ConfigurationError) {
    try self.init(text: ConfigurationText.text(bytes, file: file), file: file)
  }
}

public let defaultConfigurationPath = "/etc/touchgrid/touchgridd.toml"

extension Configuration {
  /// The path of the default file; nil if it does not exist.
  public static var defaultPath: String? {
    // A file that exists but cannot be read counts as existing, so that reading it reports the
    // error.
    let isMissing = unsafe access(defaultConfigurationPath, F_OK) != 0 && errno == ENOENT
    return isMissing ? nil : defaultConfigurationPath
  }

  /// Reads the configuration.
  /// - Parameter path: the file; nil: the default file or, if there is none, `notSetUp`.
  public static func load(_ path: String?) throws(ConfigurationError) -> Configuration {
    guard let path = path ?? defaultPath else { return .notSetUp }
    return try Configuration(path: path)
  }
}

extension Configuration {
  /// Returns the keys whose values differ in `new` and take effect only after a restart of the
  /// daemon.
  func keysNeedingRestart(for new: Configuration) -> [String] {
    var keys: [String] = []
    if new.store.path != store.path { keys.append("path in [store]") }
    if new.socket.path != socket.path { keys.append("path in [socket]") }
    if new.devices.seat != devices.seat { keys.append("seat in [devices]") }
    return keys
  }
}
