internal import TouchInput

extension DRMConnector {
  /// The size of its preferred mode; nil if the kernel has not listed its modes yet.
  var size: Configuration.Display.Size? {
    guard let width, let height else { return nil }
    return Configuration.Display.Size(width: width, height: height)
  }

  /// Whether the kernel has not listed its modes yet.
  var lacksMode: Bool { size == nil }
}
