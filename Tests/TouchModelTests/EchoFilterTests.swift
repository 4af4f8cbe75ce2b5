import Testing

@testable import TouchModel

@Suite struct EchoFilterTests {
  private func touchDown(_ touch: UInt64, virtual: Bool, at milliseconds: Int64)
    -> EchoFilter.TouchDown
  {
    EchoFilter.TouchDown(
      touch: TouchID(touch), device: virtual ? 1 : 0, slot: 0, isVirtual: virtual,
      time: .ms(milliseconds), expires: .ms(milliseconds + 100))
  }

  private func name(_ verdict: EchoFilter.Verdict) -> String {
    switch verdict {
    case .original: "original"
    case .echo: "echo"
    case .originalOf(let other): "original of \(other.touch)"
    }
  }

  private func judge(_ touchDowns: [EchoFilter.TouchDown]) -> [String] {
    var filter = EchoFilter()
    filter.isNeeded = true
    return touchDowns.map { name(filter.judge($0)) }
  }

  @Test func `An echo comes at most 50 ms after its touch, and never before it`() {
    let original = touchDown(1, virtual: false, at: 100)
    for (time, verdict) in [(99, "original"), (100, "echo"), (150, "echo"), (151, "original")]
      as [(Int64, String)]
    {
      #expect(
        judge([original, touchDown(2, virtual: true, at: time)]) == ["original", verdict], "\(time)"
      )
    }
  }

  @Test func `Ten fingers and their ten virtual duplicates are paired in either order`() {
    let real = (0..<10 as Range<UInt64>).map { touchDown($0, virtual: false, at: 100 + Int64($0)) }
    let duplicates = (0..<10 as Range<UInt64>).map {
      touchDown(100 + $0, virtual: true, at: 102 + Int64($0))
    }
    #expect(
      judge(real + duplicates) == Array(repeating: "original", count: 10)
        + Array(repeating: "echo", count: 10))
    #expect(judge(duplicates + real).suffix(10) == (100..<110).map { "original of \($0)" }[...])
    #expect(judge(real + duplicates + [touchDown(999, virtual: true, at: 112)]).last == "original")
  }

  @Test func `Touches of two real or of two virtual panels are not echoes`() {
    for isVirtual in [false, true] {
      let verdicts = judge(
        (0..<100 as Range<UInt64>).map { touchDown($0, virtual: isVirtual, at: 100) })
      #expect(verdicts.allSatisfy { $0 == "original" })
    }
  }

  @Test func `A removed device has no echoes`() {
    var filter = EchoFilter()
    filter.isNeeded = true
    _ = filter.judge(touchDown(1, virtual: true, at: 100))
    filter.forget(1)
    #expect(name(filter.judge(touchDown(2, virtual: false, at: 99))) == "original")
  }

  @Test func `A touch-down is forgotten when its duplicate cannot come any more`() {
    var filter = EchoFilter()
    filter.isNeeded = true
    _ = filter.judge(touchDown(1, virtual: false, at: 100))
    _ = filter.judge(touchDown(2, virtual: false, at: 120))
    #expect(filter.nextDeadline == .ms(200))
    filter.advance(to: .ms(200))
    #expect(filter.nextDeadline == .ms(220))
    #expect(name(filter.judge(touchDown(3, virtual: true, at: 130))) == "echo")
    #expect(filter.nextDeadline == nil)
  }

  @Test func `If all devices are of one kind, no touch-downs are kept`() {
    var filter = EchoFilter()
    _ = filter.judge(touchDown(1, virtual: false, at: 100))
    #expect(filter.nextDeadline == nil)
    filter.isNeeded = true
    _ = filter.judge(touchDown(2, virtual: false, at: 100))
    #expect(filter.nextDeadline != nil)
    filter.isNeeded = false
    #expect(filter.nextDeadline == nil)
  }
}
