import Testing
import TouchModel

@testable import Storage

/// Five months of a kiosk whose clock jumps, against the time that it really was.
@Suite struct ClockTests {
  private static let keep: Int64 = 30
  private let folder: Folder
  private let store: Store

  init() throws {
    folder = try Folder()
    store = try Store(path: folder.file(), options: options())
  }

  private func keepHouse(_ clock: Int64) throws {
    let now = WallTime(milliseconds: clock)
    try store.rollUp(today: utc(now))
    guard let believed = try store.believedTime(at: now) else { return }
    try store.retain(now: believed, keepSessions: .seconds(Self.keep * 86_400), maxSize: nil)
  }

  @Test(arguments: 0..<2) func whateverTheClockSaysNothingYoungIsLost(seed: UInt64) throws {
    var dice = Dice(seed)
    var truth: [Int64: Int64] = [:]
    var taps: UInt64 = 0
    var id: Int64 = 0
    // Of any five days two may be wrong.
    var wrong = [false, false, false, false]
    for day in 0..<150 {
      let mayBeWrong = wrong.suffix(4).count { $0 } < 2
      let isWrong = mayBeWrong && Int.random(in: 0..<4, using: &dice) == 0
      wrong.append(isWrong)
      // To 1970, to 2099, and anywhere between.
      let offset = isWrong ? Int64.random(in: -19_000..<27_000, using: &dice) * dayLength : 0
      for number in 0..<Int64.random(in: 1...4, using: &dice) {
        id += 1
        let time = mayFirst + Int64(day) * dayLength + number * 2 * hour
        truth[id] = time
        let count = UInt64.random(in: 1...9, using: &dice)
        taps += count
        try store.write(record(id, began: time + offset, taps: [Int(number): count]))
        try keepHouse(time + offset)
        let left = try store.sessions(in: .always).map(\.record.id)
        // One that is wrongly dated goes with its neighbours, two wrong days away at the most.
        let young = truth.filter { time - $0.value <= (Self.keep - 3) * dayLength }.map(\.key)
        #expect(Set(young).isSubset(of: left), "day \(day), \(isWrong ? "wrong" : "right")")
      }
    }
    #expect(try store.sessions(in: .always).count < Int(id))
    // The sums know every touch, once.
    let sums = try store.summaries(screen: nil, layer: .taps, in: .always)
    #expect(sums.reduce(0) { $0 + $1.sum.sum } == taps)
    let days = try store.days(in: .always)
    #expect(days.reduce(0) { $0 + $1.sessions } == UInt64(id))
    #expect(days.allSatisfy { $0.totals?.balances ?? true })
  }

  @Test func anHourIn2099DropsNothing() throws {
    for day in 0..<100 {
      try store.write(record(Int64(day) + 1, began: mayFirst + Int64(day) * dayLength))
    }
    let now = mayFirst + 99 * dayLength
    try keepHouse(now)
    let before = try store.sessions(in: .always).map(\.record.id)
    // In honest life what is believed is two days behind.
    #expect(before.first == 100 - 2 - Self.keep)
    let wrong = now + 75 * 365 * dayLength
    // Across midnight, too.
    try store.write(record(101, began: wrong))
    try keepHouse(wrong + hour)
    try store.write(record(102, began: wrong + 23 * hour))
    try keepHouse(wrong + 23 * hour)
    let after = try store.sessions(in: .always).map(\.record.id).sorted()
    #expect(after == before.dropFirst() + [101, 102])
  }
}
