/// Decides for `Discovery` whether the configuration ignores a device. A class, so that a reload
/// can replace the configuration.
final class IgnoredDevices {
  private var configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  func apply(_ configuration: Configuration) { self.configuration = configuration }

  func matches(key: String, name: String) -> Bool {
    configuration.rule(key: key, name: name)?.ignore ?? false
  }
}
