import Text

@testable import ConfigurationFiles
@testable import TouchInput
@testable import TouchModel
@testable import TouchgridDaemon
@testable import TouchgridFollow

/// Fuzzes the daemon's configuration file: it is either refused with a printable reason, or
/// accepted, explained and used.
func fuzzConfiguration(_ bytes: [UInt8]) {
  let configuration: Configuration
  do throws(ConfigurationError) {
    configuration = try Configuration(bytes: bytes, file: "touchgridd.toml")
  } catch {
    return look(at: error, of: bytes)
  }
  must(!configuration.grid.layers.isEmpty, "something is counted")
  must(
    configuration.session.maxDuration > configuration.session.idleTimeout,
    "a session may last longer than it idles")
  must(configuration.explanation.utf8.count < 1 << 22, "an explanation is short")
  let assignment = DisplayAssignment(configuration: configuration)
  guard let contacts = try? ContactProtocol(of: touchscreen(slots: 10)) else { return }
  for name in ["panel", configuration.deviceRules.first?.match ?? ""] {
    let place = assignment.place(
      PanelIdentity(key: name, name: name, contactProtocol: contacts),
      connectors: [DRMConnector(name: "HDMI-A-1", width: 1920, height: 1080)])
    must(place != nil, "a panel lies somewhere")
  }
}

/// Fuzzes the configuration file of touchgrid-follow: it is either refused with a printable reason,
/// or accepted.
func fuzzFollowConfiguration(_ bytes: [UInt8]) {
  let configuration: FollowConfiguration
  do throws(ConfigurationError) {
    let text = try ConfigurationText.text(bytes, file: "follow.toml")
    configuration = try FollowConfiguration(text: text, file: "follow.toml")
  } catch {
    return look(at: error, of: bytes)
  }
  must(configuration.maskedNames.allSatisfy { $0.asName == $0 }, "a mask has a name")
  must(Set(configuration.sources).count == configuration.sources.count, "no source is there twice")
}

private func look(at error: ConfigurationError, of bytes: [UInt8]) {
  let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
  must(!error.problems.isEmpty, "a refusal has a reason")
  for problem in error.problems {
    must(!problem.message.isEmpty, "a reason has words")
    must((1...lines).contains(problem.line ?? 1), "line \(problem.line ?? 0) of \(lines)")
    must(
      problem.description == problem.description.printable(limit: .max),
      "a reason can be shown")
  }
}

/// Returns the description of a touchscreen of protocol B.
func touchscreen(slots: Int32) -> DeviceDescription {
  DeviceDescription(
    name: "panel", properties: [1], codes: [EventType.key: [KeyCode.buttonTouch]],
    axes: [
      AbsCode.mtSlot: AxisInfo(minimum: 0, maximum: slots - 1),
      AbsCode.mtTrackingID: AxisInfo(minimum: 0, maximum: 65_535),
      AbsCode.mtPositionX: AxisInfo(minimum: 0, maximum: 1023),
      AbsCode.mtPositionY: AxisInfo(minimum: 0, maximum: 767),
      AbsCode.mtToolType: AxisInfo(minimum: 0, maximum: 2),
      AbsCode.mtDistance: AxisInfo(minimum: 0, maximum: 1),
    ])
}
