import Foundation
import Testing

extension DeviceGuestTests {
  @Suite struct Kills {
    private static let rate = 60
    private static let daemons = 5

    @Test func `A killed daemon leaves a sound store that lacks only the last seconds`() throws {
      let count = Endurance.isWanted ? 200 : 10
      let guest = try Guest.shared()
      let begun = Date()
      var lives: [Life] = []
      var ages: [Double] = []
      // Only runs with punctual fingers prove anything. The others are repeated, twice at most.
      for round in 1...3 where ages.count < count {
        let (found, account) = try live(count - ages.count, in: guest, round: round)
        lives += found
        for (number, life) in found.enumerated() {
          let isSound = life.integrity == "ok" && life.wrong.isEmpty && life.open
          #expect(isSound, "kill \(number) of round \(round): \(life)")
          guard account.isPunctual(at: Double(Self.rate), before: life.killed) else { continue }
          let age = life.ageOfMissing(by: account)
          ages.append(age)
          #expect(age <= Endurance.bound, "kill \(number) of round \(round): \(life)")
        }
      }
      #expect(ages.count == count, "the fingers were late in the rest of \(lives.count) lives")
      let seconds = lives.map { Double($0.killed - $0.since) / 1e6 }
      // More than half of the runs must be long enough for a checkpoint, or the test proves
      // nothing.
      #expect(lives.count { $0.begun > 0 } * 2 > lives.count)
      #expect(lives.allSatisfy { $0.drops == 0 })
      Endurance.conclude(
        """
        \(count) kills of \(Self.daemons) daemons, \(Int(Date().timeIntervalSince(begun))) s
        \(lives.map(\.begun).reduce(0, +)) touches stored
        lives of \(seconds.min()?.short ?? "-") to \(seconds.max()?.short ?? "-") s
        oldest missing: \(ages.max()?.short ?? "-") s of \(Endurance.bound) s allowed
        ages of the oldest missing: \(Endurance.distribution(ages))
        \(lives.count - ages.count) more lives in which the fingers were late
        """)
    }

    private func live(
      _ count: Int, in guest: Guest, round: Int
    ) throws -> (lives: [Life], account: Account) {
      let file = "lives.account-\(round)"
      // Write the account to the guest's memory: writing to /host takes as long as the host's disk
      // needs, and the guest's clock does not count this time.
      let text = try guest.run(
        """
        rm -rf /run/lives /run/lives.account
        python3 fingers.py /run/lives.account --rate \(Self.rate) >/dev/null & fingers=$!
        trap 'kill $fingers; wait $fingers; cp /run/lives.account /host/\(file); rm -rf /run/lives' EXIT
        python3 lives.py /run/lives \(count) \(Self.daemons)
        """, timeout: 1800 + 10 * count)
      let lives = try Life.all(in: text)
      #expect(lives.count == count)
      return (lives, try Account(guest.share.appending(path: file)))
    }
  }
}
