import Foundation
import Testing

extension GuestTests {
  @Suite struct Kills {
    @Test(
      "whenever a daemon is killed, its store opens, balances, and lacks nothing older than a checkpoint and a second"
    )
    func kills() throws {
      let (count, daemons) = Endurance.isWanted ? (200, 5) : (10, 5)
      let guest = try Guest.shared()
      let begun = Date()
      let text = try guest.run(
        """
        rm -rf /run/lives /host/lives.account
        python3 fingers.py /host/lives.account --rate 30 >/dev/null & fingers=$!
        trap 'kill $fingers; wait $fingers; rm -rf /run/lives' EXIT
        python3 lives.py /run/lives \(count) \(daemons)
        """, timeout: Endurance.isWanted ? 3000 : 300)
      let account = try Account(guest.share.appending(path: "lives.account"))
      let lives = try Life.all(in: text)
      #expect(lives.count == count)
      var ages: [Double] = []
      var starved: [Double] = []
      for (number, life) in lives.enumerated() {
        let age = life.ageOfMissing(by: account)
        let isSound = life.integrity == "ok" && life.wrong.isEmpty && life.open
        #expect(isSound, "kill \(number): \(life)")
        if account.isPunctual(at: 30, before: life.killed) {
          ages.append(age)
          #expect(age <= Endurance.bound, "kill \(number): \(life)")
        } else {
          starved.append(age)
        }
      }
      let seconds = lives.map { Double($0.killed - $0.since) / 1e6 }
      #expect(ages.count > count / 2, "the machine was too busy: \(starved.count) lives starved")
      let touches = lives.map(\.begun).reduce(0, +)
      // Lives that were long enough for a checkpoint, or all this shows nothing.
      #expect(lives.count { $0.begun > 0 } > count / 4)
      Endurance.conclude(
        """
        \(count) kills of \(daemons) daemons, \(Int(Date().timeIntervalSince(begun))) s
        \(touches) touches stored
        \(lives.count { $0.drops > 0 }) lives in which the kernel dropped events
        lives of \(seconds.min()?.short ?? "-") to \(seconds.max()?.short ?? "-") s
        oldest missing: \(ages.max()?.short ?? "-") s of \(Endurance.bound) s allowed
        ages of the oldest missing: \(Endurance.distribution(ages))
        \(starved.count) lives for which the machine was too busy: up to \(starved.max()?.short ?? "-") s
        """)
    }
  }
}
