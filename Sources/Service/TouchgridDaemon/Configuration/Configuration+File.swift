public import ConfigurationFiles

extension Configuration {
  /// Reads a configuration file.
  /// - Parameter path: the path of a regular file of at most 1 MiB of UTF-8.
  /// - Throws: all errors in the file; only the syntax errors if there are any.
  public init(path: String) throws(ConfigurationError) {
    try self.init(bytes: ConfigurationText.bytes(path), file: path)
  }

  init(bytes: [UInt8], file: String) throws(ConfigurationError) {
    try self.init(text: ConfigurationText.text(bytes, file: file), file: file)
  }
}
