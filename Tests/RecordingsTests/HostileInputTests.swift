import TestSupport
import Testing
import Text
import TouchModel

@testable import Recordings

/// Checks that no file causes a trap: each is read, or refused with a reason.
@Suite struct HostileInputTests {
  private static let evemuSeed =
    evemuHeader + """
      # touchgrid-screen 0.5 menu
      E: 0.000001 0003 0039 0005\t# EV_ABS / ABS_MT_TRACKING_ID   5
      E: 18446744073709551615.4294467296 0003 0035 -2147483648
      E: 1338955459.300400 0000 0000 0

      """

  @Test(arguments: [evemuSeed, libinputText])
  func `A truncated file is read or refused`(text: String) {
    let bytes = Array(text.utf8)
    var refused = 0
    for end in bytes.indices {
      do { _ = try parse(Array(bytes[..<end])) } catch {
        refused += 1
        #expect(!error.description.isEmpty)
      }
    }
    #expect(refused > 0 && refused < bytes.count)
  }

  @Test(arguments: 0..<16 as Range<UInt64>)
  func `Mutated files are read or refused`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var refused = 0
    let rounds = 250
    for round in 0..<rounds {
      let seedText = round.isMultiple(of: 2) ? Self.evemuSeed : libinputText
      var bytes = Array(seedText.utf8)
      for _ in 0...Int.random(in: 0..<4, using: &random) { Self.mutate(&bytes, using: &random) }
      do {
        for recording in try parse(bytes) { _ = try? parse(recording.evemuText) }
      } catch {
        refused += 1
        let text = error.description
        #expect(text.unicodeScalars.allSatisfy { $0.isShown })
      }
    }
    #expect(refused > rounds / 20 && refused < rounds)
  }

  private static let tokens = [
    "99999999999999999999999", "-9223372036854775808", "4294967296", "-1", "ffff", "E:", "B: 01",
    "A: 35", "N:", "- evdev:", "- node:", "- [", "]", "[", ",", "\"", "#", "\n", "\r", "\0",
    "# touchgrid-screen ", "- hid:", "events:", "codes:", "absinfo:", "properties:", "name: \"",
    "\u{202e}", "٣",
  ]

  private static func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3:
      bytes.insert(
        contentsOf: bytes[place..<end], at: Int.random(in: bytes.indices, using: &random))
    case 4:
      bytes.insert(contentsOf: Array((tokens.randomElement(using: &random) ?? "").utf8), at: place)
    default:
      bytes.replaceSubrange(
        place..<end, with: Array((tokens.randomElement(using: &random) ?? "").utf8))
    }
  }
}
