import ConfigurationFiles

@testable import TouchgridDaemon

/// Returns why a configuration is refused; nil if it is accepted.
func refusal(
  _ configuration: @autoclosure () throws(ConfigurationError) -> Configuration
) -> ConfigurationError? {
  do throws(ConfigurationError) {
    _ = try configuration()
    return nil
  } catch {
    return error
  }
}
