import Recordings
import TestSupport
import TouchModel
import TouchgridAPI

/// A kiosk with a masked keypad, and a person who types at it. Three seeds determine everything
/// except the typing, the keys that are typed, and the times of typing.
struct Keypad {
  enum Panel: CaseIterable {
    case slots, single, anonymous
  }

  /// The area of the keys, in points: three columns and four rows. Points equal raw units here.
  static let area = (x: 320, y: 300, width: 384, height: 400)

  /// Covers of two keys, at the keypad's edge, and where the other hand is. The touches elsewhere
  /// begin in none, so that the first and the last touch of a session are not swallowed.
  static let covers = [
    (x: 320, y: 300, width: 128, height: 200), (x: 704, y: 0, width: 40, height: 768),
    (x: 50, y: 390, width: 100, height: 60),
  ]

  private static func isCovered(_ x: Int32, _ y: Int32) -> Bool {
    covers.contains { cover in
      (cover.x..<cover.x + cover.width).contains(Int(x))
        && (cover.y..<cover.y + cover.height).contains(Int(y))
    }
  }

  /// The configuration of the display. If its size were a guess, the whole screen would be masked.
  static let display = "[[display]]\nname = 'glass'\nwidth = 1024\nheight = 768\n"

  let panel: Panel
  /// Whether the keypad's whole screen is masked; otherwise only `area` is.
  let isWhole: Bool
  /// Whether the taps are regular and in the exact middle of keys, like ghosts.
  private let isRegular: Bool
  /// Whether the recording has two visits.
  private let isSameTwice: Bool
  /// Whether the session's first and last touches are on the keypad. Only if both people of a pair
  /// type at the same times, because the session's times depend on these touches.
  private let isMaskedAtEdges: Bool
  /// Whether the person takes some seconds, and then types at a second keypad.
  private let isSlow: Bool
  /// Whether a finger rests or moves beside the keypad while the other hand types.
  private let hasOtherHand: Bool
  private let digits: Int
  private var plan: SeededGenerator
  private var pin: SeededGenerator
  private var pace: SeededGenerator
  private var gestures: Gestures

  var screen: String { isWhole ? "pin" : "pay" }

  /// The number of unmasked fingers that are down while keys are typed.
  var fingersBeside: Int { hasOtherHand && !isWhole ? 1 : 0 }

  var mask: API.Mask {
    let area = Self.area
    return API.Mask(
      screen: screen,
      rectangle: isWhole
        ? nil
        : API.Rectangle(
          x: Double(area.x), y: Double(area.y), width: Double(area.width),
          height: Double(area.height)))
  }

  /// - Parameters:
  ///   - plan: The seed of everything except the keypad.
  ///   - pin: The seed of the typed keys and of the finger's tremble on them.
  ///   - pace: The seed of the time and the length of each key press.
  ///   - keepsTime: Whether both people of a pair type at the same times.
  init(plan: UInt64, pin: UInt64, pace: UInt64, keepsTime: Bool, isSlow: Bool = false) {
    var seeded = SeededGenerator(seed: plan)
    panel = Panel.allCases.randomElement(using: &seeded) ?? .slots
    isWhole = .random(using: &seeded)
    isRegular = Int.random(in: 0..<3, using: &seeded) == 0
    isSameTwice = .random(using: &seeded)
    let isMaskedAtEdges = Int.random(in: 0..<3, using: &seeded) == 0
    self.isMaskedAtEdges = isMaskedAtEdges && keepsTime && !isSlow
    self.isSlow = isSlow
    hasOtherHand = Bool.random(using: &seeded) && panel != .single && !isSlow
    digits = Int.random(in: 4...8, using: &seeded)
    self.plan = seeded
    self.pin = SeededGenerator(seed: pin)
    self.pace = SeededGenerator(seed: pace)
    let device: DeviceDescription =
      switch panel {
      case .slots: .panel(width: 1024, height: 768)
      case .single: .singleTouch(x: 0...1023, y: 0...767)
      case .anonymous: .anonymous(x: 0...1023, y: 0...767)
      }
    gestures = Gestures(on: device)
  }

  /// Returns a recording of one or two visits, with a session each.
  mutating func visits() -> Recording {
    visit()
    if isSameTwice {
      gestures.wait(.random(in: 61_000_000...90_000_000, using: &plan))
      visit()
    }
    return gestures.recording
  }

  private mutating func visit() {
    gestures.screen(isMaskedAtEdges ? screen : "menu")
    gestures.wait(20_000)
    if !isMaskedAtEdges {
      for _ in 0..<3 { touchMenu() }
      gestures.screen(screen)
      gestures.wait(20_000)
    }
    if !isWhole, !isMaskedAtEdges { touchBeside() }
    type()
    if isSlow {
      gestures.screen(Self.second)
      type()
    }
    if isMaskedAtEdges { return gestures.wait(1_000_000) }
    if !isWhole, !isSlow { touchBeside() }
    gestures.screen("menu")
    gestures.wait(20_000)
    for _ in 0..<3 { touchMenu() }
  }

  /// Returns a recording of less than 3 s: a touch that marks the time, typing at the keypad, and
  /// touches after it. The recording does not name the keypad's screen: the test does so late.
  /// - Returns: The recording and its times, in µs since the marking touch.
  mutating func shortVisit() -> (recording: Recording, typed: Range<Int64>, end: Int64) {
    gestures.screen("menu")
    gestures.wait(700_000)
    gestures.down(0, 40, 40)
    gestures.frame(after: 0)
    let mark = gestures.now
    gestures.up(0)
    gestures.frame(after: 100_000)
    wait(until: mark + 350_000)
    let start = gestures.now - mark
    for _ in 0..<4 { key(frames: 10, hasOtherHand: fingersBeside > 0) }
    if gestures.fingersDown > 0 { gestures.upAll() }
    gestures.frame()
    let end = gestures.now - mark
    wait(until: mark + 950_000)
    touchMenu()
    let last = gestures.now - mark
    // Wait until late names can no longer affect these touches, so that watchers receive them.
    wait(until: gestures.now + 900_000)
    gestures.down(0, 40, 40)
    gestures.frame()
    gestures.up(0)
    gestures.frame()
    return (gestures.recording, start..<end, last)
  }

  private mutating func wait(until time: Timestamp) { gestures.wait(max(0, time - gestures.now)) }

  // MARK: At the keypad

  /// The name of the second keypad's screen. It sorts before that of the first.
  static let second = "code"

  private mutating func type() {
    let before = isSlow ? Int64.random(in: 0...9_000_000, using: &pace) : 0
    gestures.wait(before)
    typeAtOnce()
    if isSlow { gestures.wait(9_000_000 - before) }
  }

  private mutating func typeAtOnce() {
    let frames = isRegular ? 110 : 12
    let only = isRegular && Bool.random(using: &pin) ? randomKey() : nil
    for _ in 0..<digits { key(only, frames: frames, hasOtherHand: fingersBeside > 0) }
    if gestures.fingersDown > 0 { gestures.upAll() }
    gestures.frame()
  }

  private mutating func randomKey() -> Int { .random(in: 0..<12, using: &pin) }

  /// Types one key within `frames` frames.
  private mutating func key(_ only: Int? = nil, frames: Int, hasOtherHand: Bool) {
    let key = only ?? randomKey()
    let landing = isRegular ? 1 : Int.random(in: 0..<frames - 2, using: &pace)
    let lift = isRegular ? 3 : Int.random(in: landing + 1..<frames, using: &pace)
    for frame in 0..<frames {
      if hasOtherHand { moveOtherHand(frame) }
      let (x, y) = isRegular ? Self.middle(of: key) : trembling(key)
      if frame == landing { gestures.down(0, x, y) }
      if frame > landing, frame < lift, !isRegular { gestures.move(0, x, y) }
      if frame == lift { gestures.up(0) }
      gestures.frame()
    }
  }

  private static func middle(of key: Int) -> (Int32, Int32) {
    (Int32(area.x + key % 3 * 128 + 64), Int32(area.y + key / 3 * 100 + 50))
  }

  private mutating func trembling(_ key: Int) -> (Int32, Int32) {
    let (x, y) = Self.middle(of: key)
    return (x + .random(in: -60...60, using: &pin), y + .random(in: -48...48, using: &pin))
  }

  private mutating func moveOtherHand(_ frame: Int) {
    let x = Int32.random(in: 60...90, using: &plan)
    let y = Int32.random(in: 400...430, using: &plan)
    if gestures.fingersDown == 0 || otherHandIsUp {
      gestures.down(1, x, y)
      otherHandIsUp = false
    } else if frame.isMultiple(of: 3) {
      gestures.move(1, x, y)
    }
  }
  private var otherHandIsUp = true

  // MARK: Elsewhere

  /// Touches random places on the menu screen, including where the keypad is on the other screen,
  /// and sometimes as briefly as a ghost.
  private mutating func touchMenu() {
    otherHandIsUp = true
    var (x, y): (Int32, Int32)
    repeat {
      x = .random(in: 0...1023, using: &plan)
      y = .random(in: 0...767, using: &plan)
    } while Self.isCovered(x, y)
    switch Int.random(in: 0..<3, using: &plan) {
    case 0: gestures.tap(at: (x, y), duration: .random(in: 10_000...90_000, using: &plan))
    // The keys of the last two columns are not covered.
    case 1: gestures.tap(at: Self.middle(of: Int(x) % 4 * 3 + 1 + Int(x) % 2), duration: 20_000)
    default: gestures.drag(from: (x, y), to: (y, x % 768), duration: 60_000)
    }
    gestures.wait(.random(in: 10_000...50_000, using: &plan))
  }

  /// Touches the keypad's screen beside the keypad, up to the edge of the keypad.
  private mutating func touchBeside() {
    otherHandIsUp = true
    let y = Int32.random(in: 0...767, using: &plan)
    let (left, right) = (Int32(Self.area.x - 1), Int32(Self.area.x + Self.area.width + 1))
    if .random(using: &plan) {
      gestures.drag(from: (5, y), to: (left, y), duration: 60_000)
    } else {
      gestures.tap(at: (right, y), duration: .random(in: 10_000...90_000, using: &plan))
    }
    gestures.wait(20_000)
  }
}
