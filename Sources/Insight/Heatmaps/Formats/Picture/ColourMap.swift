/// A colour with 8 bits per channel.
public struct Colour: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The index of the nearest colour in xterm's palette of 256: 16...255. The first 16 are left
  /// out, because users redefine them.
  public var paletteIndex: Int {
    let cube = [red, green, blue].map { channel in
      Self.cubeLevels.indices.min { distance(channel, $0) < distance(channel, $1) } ?? 0
    }
    let cubeColour = cube.map { Self.cubeLevels[$0] }
    let grey = min(23, max(0, (Int(red) + Int(green) + Int(blue)) / 3 - 3) / 10)
    let greyColour = Array(repeating: 8 + 10 * grey, count: 3)
    return distance(to: greyColour) < distance(to: cubeColour)
      ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
  }

  private static let cubeLevels = [0, 95, 135, 175, 215, 255]

  private func distance(_ channel: UInt8, _ level: Int) -> Int {
    abs(Int(channel) - Self.cubeLevels[level])
  }

  private func distance(to other: [Int]) -> Int {
    zip([red, green, blue], other).reduce(0) { sum, pair in
      let difference = Int(pair.0) - pair.1
      return sum + difference * difference
    }
  }
}

/// A sequence of colours from low to high values.
public struct ColourMap: Hashable, Sendable {
  public let name: String
  /// Evenly spaced colours; colours between them are interpolated channel by channel.
  private let stops: [Colour]

  /// The maps that users may choose from. The first is the default.
  public static let all = [inferno, viridis, turbo, greys]

  /// matplotlib's inferno (CC0, Nathaniel J. Smith and Stéfan van der Walt). Equal steps look
  /// equal, even to colour-blind people and in grey. These are every eighth of its colours;
  /// interpolation differs from the others by less than 2 (of 255) per channel.
  public static let inferno = ColourMap(
    "inferno",
    [
      0x00_0004, 0x04_0312, 0x0b_0724, 0x15_0b37, 0x21_0c4a, 0x2f_0a5b, 0x3d_0965, 0x4a_0c6b,
      0x57_106e, 0x64_156e, 0x71_196e, 0x7d_1e6d, 0x8a_226a, 0x97_2766, 0xa3_2c61, 0xb0_315b,
      0xbc_3754, 0xc6_3d4d, 0xd0_4545, 0xda_4e3c, 0xe3_5933, 0xeb_6429, 0xf1_711f, 0xf6_7e14,
      0xf9_8c0a, 0xfb_9b06, 0xfc_aa0f, 0xfb_ba1f, 0xf9_c932, 0xf5_d949, 0xf2_e865, 0xf3_f586,
      0xfc_ffa4,
    ])

  /// matplotlib's viridis (CC0, Nathaniel J. Smith, Stéfan van der Walt and Eric Firing); every
  /// eighth colour.
  public static let viridis = ColourMap(
    "viridis",
    [
      0x44_0154, 0x47_0d60, 0x48_186a, 0x48_2374, 0x47_2d7b, 0x45_3681, 0x42_4086, 0x3f_4989,
      0x3b_528b, 0x37_5a8d, 0x33_638d, 0x2f_6a8e, 0x2c_728e, 0x29_7a8e, 0x26_818e, 0x23_898e,
      0x21_908c, 0x1f_988b, 0x1f_9f88, 0x21_a685, 0x28_ae80, 0x31_b57b, 0x3e_bc74, 0x4c_c26c,
      0x5d_c963, 0x6e_ce58, 0x82_d34c, 0x96_d83f, 0xab_dc32, 0xc0_df24, 0xd5_e21a, 0xea_e51a,
      0xfd_e725,
    ])

  /// Turbo (Apache-2.0, Copyright 2019 Google LLC, Anton Mikhailov); every eighth colour. A rainbow
  /// that shows more distinct steps, but misleads people with red-green blindness.
  public static let turbo = ColourMap(
    "turbo",
    [
      0x30_123b, 0x39_2a73, 0x40_40a1, 0x44_56c7, 0x46_6be3, 0x46_7ff6, 0x42_93ff, 0x37_a7fa,
      0x29_bbec, 0x1d_cdd8, 0x18_dcc3, 0x1e_e8b0, 0x31_f299, 0x4c_f97e, 0x6b_fd64, 0x8a_ff4d,
      0xa3_fd3c, 0xb8_f735, 0xcc_ed34, 0xde_e037, 0xed_d03a, 0xf8_c03a, 0xfd_ae35, 0xfe_982c,
      0xfb_8022, 0xf5_6817, 0xec_520f, 0xe0_4009, 0xd2_3105, 0xc0_2302, 0xac_1701, 0x95_0d01,
      0x7a_0403,
    ])

  /// White for low and black for high values, for paper.
  public static let greys = ColourMap("greys", [0xff_ffff, 0x00_0000])

  /// - Parameter name: the name of a map in `all`.
  /// - Returns: nil if no map has this name.
  public init?(_ name: String) {
    guard let map = Self.all.first(where: { $0.name == name }) else { return nil }
    self = map
  }

  private init(_ name: String, _ stops: [UInt32]) {
    self.name = name
    self.stops = stops.map {
      Colour(
        red: UInt8(truncatingIfNeeded: $0 >> 16), green: UInt8(truncatingIfNeeded: $0 >> 8),
        blue: UInt8(truncatingIfNeeded: $0))
    }
  }

  /// Returns the colour at a position.
  /// - Parameter position: 0...1. Outside of this range, the colour of the nearer end.
  public func colour(at position: Double) -> Colour {
    let scaled = min(1, max(0, position)) * Double(stops.count - 1)
    let index = min(stops.count - 2, Int(scaled))
    let part = scaled - Double(index)
    let (low, high) = (stops[index], stops[index + 1])
    func mix(_ channel: KeyPath<Colour, UInt8>) -> UInt8 {
      let (from, to) = (Double(low[keyPath: channel]), Double(high[keyPath: channel]))
      return UInt8((from + (to - from) * part).rounded())
    }
    return Colour(red: mix(\.red), green: mix(\.green), blue: mix(\.blue))
  }
}
