internal import CGTK
internal import COverlay

/// Whether an output is lit, as the compositor or the X server reports it.
@safe final class OutputPower {
  let output: Output
  private(set) var isOn = true
  private let changed: (OutputPower) -> Void
  private var power: OpaquePointer?

  /// - Returns: nil if the desktop does not report it.
  init?(of output: Output, _ changed: @escaping (OutputPower) -> Void) {
    self.output = output
    self.changed = changed
    unsafe power = touchgrid_power_new(
      output.monitor.pointer, Self.notice, Unmanaged.passUnretained(self).toOpaque())
    guard unsafe power != nil else { return nil }
  }

  deinit { if let power = unsafe power { unsafe touchgrid_power_free(power) } }

  /// Switches the output on or off. The desktop reports the change afterwards.
  func set(_ isOn: Bool) { unsafe touchgrid_power_set(power, isOn ? 1 : 0) }

  private static let notice: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void = {
    owner, isOn in
    guard let owner = unsafe owner else { return }
    let power = unsafe Unmanaged<OutputPower>.fromOpaque(owner).takeUnretainedValue()
    guard power.isOn != (isOn != 0) else { return }
    power.isOn.toggle()
    power.changed(power)
  }
}
