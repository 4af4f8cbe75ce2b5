import Foundation
import Testing

@testable import Storage

extension PackagedGuestTests {
  @Suite struct PowerCuts {
    @Test func `A power cut leaves a sound store that lacks only the last seconds`() throws {
      let machine = try CutMachine()
      let works = Self.works
      let begun = Date()
      var ages: [Double] = []
      var landings = 0
      var pending = works[...]
      var number = 0
      while let work = pending.popFirst() {
        number += 1
        let cut = try machine.cut(while: work)
        let look = try machine.look()
        let account = cut.account
        let landed = account?.landed ?? 0
        landings += landed
        let stored = look.found.begun - cut.before.begun
        let counted = look.found.counted - cut.before.counted
        let oldest = max(
          account?.ageOfMissing(\.landed, having: stored) ?? 0,
          account?.ageOfMissing(\.lifted, having: counted) ?? 0)
        let age = oldest + cut.stillness
        Endurance.say(
          "cut \(number) of \(number + pending.count), \(work): \(stored) of \(landed) touches "
            + "stored, the oldest missing \(age.short) s old"
            + (cut.stoodStill ? "; the guest had stood still" : ""))
        #expect(look.found.areSound, "cut \(number), \(work): \(look.found)")
        #expect(look.recovered.areSound, "cut \(number), \(work): \(look.recovered)")
        #expect(landed > 10 || work != .drawing, "cut \(number)")
        #expect(stored >= 0 && stored <= landed, "cut \(number), \(work)")
        #expect(oldest <= Endurance.bound, "cut \(number), \(work): \(look.found)")
        if cut.stoodStill {
          // The account says nothing about the time in which it paused, so the cut is repeated.
          if number < 2 * works.count { pending.append(work) }
        } else {
          ages.append(age)
          #expect(age <= Endurance.bound, "cut \(number), \(work): \(look.found)")
        }
        // The daemon opened the same store, did not create a new one, and lost no touches when it
        // closed the session.
        #expect(look.recovered.version == Schema.version)
        #expect(look.recovered.begun == look.found.begun, "cut \(number), \(work)")
        #expect(look.recovered.counted == look.found.counted, "cut \(number), \(work)")
        #expect(look.recovered.last?.id == nil || look.recovered.last?.endReason != nil)
      }
      #expect(ages.count == works.count, "the guest stood still at the other cuts")
      Endurance.conclude(
        """
        \(ages.count) power cuts, \(works.count { $0 == .drawing }) while ten fingers drew, \(landings) landings, \(Int(Date().timeIntervalSince(begun))) s
        again, as the guest had stood still: \(number - ages.count)
        oldest missing: \(ages.max()?.short ?? "-") s of \(Endurance.bound) s allowed
        ages of the oldest missing: \(Endurance.distribution(ages))
        """)
      try machine.guest.cut()
    }

    /// The daemon's work during each cut.
    private static var works: [CutMachine.Work] {
      guard Endurance.isWanted else {
        let most = ProcessInfo.processInfo.environment["TOUCHGRID_CUTS"].flatMap { Int($0) }
        let works: [CutMachine.Work] = [.drawing, .rollingUp]
        return Array(works.prefix(most ?? works.count))
      }
      let others = CutMachine.Work.allCases.filter { $0 != .drawing }
      return (0..<50).flatMap { (number: Int) -> [CutMachine.Work] in
        number % 3 == 0 ? [.drawing, others[number / 3 % others.count]] : [.drawing]
      }
    }
  }
}
