/// Colours for differences: blue for less, nearly white for none, red for more. Both sides are
/// equally dark, and people with red-green blindness can tell them apart.
///
/// The stops are ColorBrewer's RdBu of 11 classes in reverse order, matplotlib's RdBu_r (Apache
/// License 2.0, Copyright 2002 Cynthia Brewer, Mark Harrower and The Pennsylvania State
/// University). Colours between them are interpolated channel by channel.
public enum DivergingColours {
  public static let name = "RdBu"

  private static let stops: [UInt32] = [
    0x05_3061, 0x21_66ac, 0x43_93c3, 0x92_c5de, 0xd1_e5f0, 0xf7_f7f7, 0xfd_dbc7, 0xf4_a582,
    0xd6_604d, 0xb2_182b, 0x67_001f,
  ]

  /// Returns the colour of a difference.
  /// - Parameter position: -1...1, 0 for no difference. Outside of this range, the colour of the
  ///   nearer end.
  public static func colour(at position: Double) -> Colour {
    let scaled = (min(1, max(-1, position)) + 1) / 2 * Double(stops.count - 1)
    let index = min(stops.count - 2, Int(scaled))
    let part = scaled - Double(index)
    func mix(_ shift: UInt32) -> UInt8 {
      let (from, to) = (stops[index] >> shift & 0xff, stops[index + 1] >> shift & 0xff)
      return UInt8((Double(from) + (Double(to) - Double(from)) * part).rounded())
    }
    return Colour(red: mix(16), green: mix(8), blue: mix(0))
  }
}
