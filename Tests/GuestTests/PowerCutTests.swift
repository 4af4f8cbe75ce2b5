import Foundation
import Testing

@testable import Storage

extension PackagedGuestTests {
  @Suite struct PowerCuts {
    @Test(
      "whenever the power goes, the store opens, balances, and lacks nothing older than a checkpoint and a second"
    )
    func cuts() throws {
      let machine = try CutMachine()
      let count = Endurance.isWanted ? 50 : 3
      let begun = Date()
      var ages: [Double] = []
      var landings = 0
      for number in 1...count {
        let works = CutMachine.Work.allCases
        let work = number % 2 == 1 ? .drawing : works[number / 2 % works.count]
        let cut = try machine.cut(while: work)
        let look = try machine.look()
        let account = cut.account
        let landed = account?.landed ?? 0
        landings += landed
        let stored = look.found.begun - cut.before.begun
        let counted = look.found.counted - cut.before.counted
        let age = max(
          account?.ageOfMissing(\.landed, having: stored) ?? 0,
          account?.ageOfMissing(\.lifted, having: counted) ?? 0)
        ages.append(age)
        Endurance.say(
          "cut \(number) of \(count), \(work): \(stored) of \(landed) touches "
            + "stored, the oldest missing \(age.short) s old")
        #expect(look.found.areSound, "cut \(number), \(work): \(look.found)")
        #expect(look.recovered.areSound, "cut \(number), \(work): \(look.recovered)")
        #expect(age <= Endurance.bound, "cut \(number), \(work): \(look.found)")
        #expect(stored >= 0 && stored <= landed, "cut \(number), \(work)")
        // The daemon found the same store, not a new one, and lost nothing by closing the session.
        #expect(look.recovered.version == Schema.version)
        #expect(look.recovered.begun == look.found.begun, "cut \(number), \(work)")
        #expect(look.recovered.counted == look.found.counted, "cut \(number), \(work)")
        #expect(look.recovered.last?.id == nil || look.recovered.last?.endReason != nil)
      }
      Endurance.conclude(
        """
        \(count) power cuts, \(landings) landings, \(Int(Date().timeIntervalSince(begun))) s
        oldest missing: \(ages.max()?.short ?? "-") s of \(Endurance.bound) s allowed
        ages of the oldest missing: \(Endurance.distribution(ages))
        """)
      #expect(landings > 20 * count)
      try machine.guest.stop()
    }
  }
}
