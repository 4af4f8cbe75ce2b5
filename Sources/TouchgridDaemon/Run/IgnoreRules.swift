/// Which devices the configuration wants to be left alone: asked by the discovery, changed by a reload.
final class IgnoreRules {
  private var configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  func apply(_ configuration: Configuration) { self.configuration = configuration }

  func matches(key: String, name: String) -> Bool {
    configuration.rule(key: key, name: name)?.ignore ?? false
  }
}
