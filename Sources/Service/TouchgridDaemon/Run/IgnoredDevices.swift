/// Whether the configuration ignores a device. The discovery asks it; a reload replaces the
/// configuration.
final class IgnoredDevices {
  private var configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  func apply(_ configuration: Configuration) { self.configuration = configuration }

  func matches(key: String, name: String) -> Bool {
    configuration.rule(key: key, name: name)?.ignore ?? false
  }
}
