internal import TouchModel

/// The facts that a monitor reports about itself, in the first 128 bytes of its EDID (VESA E-EDID
/// A.2).
struct EDID {
  /// The size of the visible area; nil if the monitor reports none, or a fictitious one.
  let panelSize: PanelSize?

  private static let header: [UInt8] = [0, 255, 255, 255, 255, 255, 255, 0]
  /// Fictitious sizes that makers use: ratios in place of lengths. Mutter ignores the same ones
  /// (`meta_monitor_has_aspect_as_size`).
  private static let ratios = [(160.0, 90.0), (160, 100), (16, 9), (16, 10), (1600, 900)]

  /// - Returns: nil if the bytes are not an EDID.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 128, bytes.starts(with: Self.header),
      bytes.prefix(128).reduce(UInt8(0), &+) == 0
    else { return nil }
    // The preferred timing has the size in mm. If the clock is 0, this is another kind of
    // descriptor.
    let timing = bytes[54..<72]
    let hasTiming = timing[54] != 0 || timing[55] != 0
    let exact = (
      Double(Int(timing[66]) | (Int(timing[68]) & 0xf0) << 4),
      Double(Int(timing[67]) | (Int(timing[68]) & 0x0f) << 8)
    )
    let coarse = (10 * Double(bytes[21]), 10 * Double(bytes[22]))
    let size = [hasTiming ? exact : (0, 0), coarse].first { size in
      size.0 > 0 && size.1 > 0 && !Self.ratios.contains { $0 == size }
    }
    panelSize = size.flatMap { PanelSize(width: $0.0, height: $0.1) }
  }
}
