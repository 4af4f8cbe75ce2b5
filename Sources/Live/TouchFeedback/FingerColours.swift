/// The colours of fingers: the seven colours of Okabe and Ito ("Color universal design", 2008)
/// apart from black, and three more that people with colour blindness can tell apart from these.
enum FingerColours {
  static let all = [
    colour(0xe6_9f_00), colour(0x56_b4_e9), colour(0x00_9e_73), colour(0xf0_e4_42),
    colour(0x00_72_b2), colour(0xd5_5e_00), colour(0xcc_79_a7), colour(0xff_ff_ff),
    colour(0x87_00_f0), colour(0x5a_2d_00),
  ]

  /// Returns the colour of a finger.
  /// - Parameter finger: The number of the finger, from 0. Colours repeat if there are more fingers
  ///   than colours.
  static func colour(ofFinger finger: Int) -> Colour { all[finger % all.count] }

  private static func colour(_ code: Int) -> Colour {
    Colour(
      red: Double(code >> 16 & 255) / 255, green: Double(code >> 8 & 255) / 255,
      blue: Double(code & 255) / 255)
  }
}
