import Foundation
import Testing

extension DeviceGuestTests {
  @Suite struct Kills {
    private static let rate = 60
    private static let daemons = Guest.isShort ? 3 : 5

    @Test func `A killed daemon leaves a sound store that lacks only the last seconds`() throws {
      let count = Endurance.isWanted ? 200 : Guest.isShort ? 6 : 10
      let guest = try Guest.shared()
      let begun = Date()
      let (lives, account) = try live(count, in: guest)
      for (number, life) in lives.enumerated() {
        let isSound = life.integrity == "ok" && life.wrong.isEmpty && life.open && life.drops == 0
        #expect(isSound, "kill \(number): \(life)")
      }
      let ages = lives.map { $0.ageOfMissing(by: account) }
      #expect(ages.allSatisfy { $0 <= Endurance.bound }, "\(ages) of \(lives)")
      let seconds = lives.map { Double($0.killed - $0.since) / 1e6 }
      // Some runs must be long enough for a checkpoint, or the test proves nothing. The fingers begin
      // some seconds after the first daemons, so that fewer are than their lengths say.
      let saved = lives.count { $0.begun > 0 }
      #expect(saved * 3 >= lives.count, "\(saved) of \(lives.count) runs have a checkpoint")
      Endurance.conclude(
        """
        \(count) kills of \(Self.daemons) daemons, \(Int(Date().timeIntervalSince(begun))) s
        \(lives.map(\.begun).reduce(0, +)) touches stored
        lives of \(seconds.min()?.short ?? "-") to \(seconds.max()?.short ?? "-") s
        oldest missing: \(ages.max()?.short ?? "-") s of \(Endurance.bound) s allowed
        ages of the oldest missing: \(Endurance.distribution(ages))
        """)
    }

    private func live(
      _ count: Int, in guest: Guest
    ) throws -> (lives: [Life], account: Account) {
      // Write the account to the guest's memory: writing to /host takes as long as the host's disk
      // needs, and the guest's clock does not count this time.
      let text = try guest.run(
        """
        rm -rf /run/lives /run/lives.account
        python3 fingers.py /run/lives.account --rate \(Self.rate) >/dev/null & fingers=$!
        trap 'kill $fingers; wait $fingers; cp /run/lives.account /host/lives.account; rm -rf /run/lives' EXIT
        python3 lives.py /run/lives \(count) \(Self.daemons)
        """, timeout: 1800 + 10 * count)
      let lives = try Life.all(in: text)
      #expect(lives.count == count)
      return (lives, try Account(guest.share.appending(path: "lives.account")))
    }
  }
}
