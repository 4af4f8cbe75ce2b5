import TestSupport
import Testing

@testable import TouchgridFollow

@Suite struct SayingsTests {
  private func change(
    _ name: String, _ time: Int64, masked: Bool = false, on display: String? = nil
  )
    -> ShownScreens.Change
  {
    .init(display: display, name: name, isMasked: masked, time: time)
  }

  private func all(_ sayings: inout Sayings) -> [ShownScreens.Change] {
    var changes: [ShownScreens.Change] = []
    while let change = sayings.next() { changes.append(change) }
    return changes
  }

  @Test func whatADaemonKeepsUpWithIsToldInItsOrder() {
    var sayings = Sayings()
    for number in 0..<Sayings.limit { sayings.add(change("\(number)", Int64(number))) }
    #expect(all(&sayings).map(\.name) == (0..<Sayings.limit).map(String.init))
  }

  @Test func whereItIsTooMuchNamesFallAwayButNeverTheLastAndNeverWhatIsMasked() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<200 {
      var sayings = Sayings()
      var told: [ShownScreens.Change] = []
      for time in 1...500 {
        let next = change(
          "\(time)", Int64(time), masked: Int.random(in: 0..<6, using: &random) == 0,
          on: ["A", "B", nil][Int.random(in: 0..<3, using: &random)])
        sayings.add(next)
        told.append(next)
      }
      let left = all(&sayings)
      #expect(left.count <= Sayings.limit)
      for display in ["A", "B", nil] {
        #expect(left.last { $0.display == display } == told.last { $0.display == display })
        // As long as something masked was shown, something masked is.
        let before = told.filter { $0.display == display }
        let after = left.filter { $0.display == display }
        for seen in before where seen.isMasked {
          let then = after.last { $0.time <= seen.time }
          #expect(then?.isMasked == true, "\(seen)")
        }
      }
    }
  }

  @Test func whatCameTooLateIsToldAgainUnlessThereIsSomethingNewer() {
    var sayings = Sayings()
    sayings.addOlder(change("late", 0))
    #expect(all(&sayings).map(\.name) == ["late"])
    sayings.add(change("new", 2, on: "A"))
    sayings.addOlder(change("late", 0, on: "A"))
    sayings.addOlder(change("other", 0, on: "B"))
    #expect(all(&sayings).map(\.name) == ["other", "new"])
    sayings.add(change("new", 2))
    sayings.addOlder(change("late", 0, on: "A"))
    #expect(all(&sayings).map(\.name) == ["new"])
  }
}
