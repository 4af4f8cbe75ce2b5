public import ConfigurationFiles

extension Configuration {
  /// Reads a configuration file.
  /// - Parameter path: of a regular file of at most 1 MiB of UTF-8.
  /// - Throws: everything that is wrong with it, where its syntax lets one see.
  public init(path: String) throws(ConfigurationError) {
    try self.init(bytes: ConfigurationText.bytes(path), file: path)
  }

  init(bytes: [UInt8], file: String) throws(ConfigurationError) {
    try self.init(text: ConfigurationText.text(bytes, file: file), file: file)
  }
}
