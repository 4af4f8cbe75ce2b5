import Testing

@testable import TouchModel

@Suite struct EchoFilterTests {
  private func landing(_ touch: UInt64, virtual: Bool, at milliseconds: Int64)
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

  private func judge(_ landings: [EchoFilter.TouchDown]) -> [String] {
    var filter = EchoFilter()
    filter.isNeeded = true
    return landings.map { name(filter.judge($0)) }
  }

  @Test("The virtual twin of a touch is its echo, read second")
  func virtualSecond() {
    #expect(
      judge([landing(1, virtual: false, at: 100), landing(2, virtual: true, at: 102)])
        == ["original", "echo"])
  }

  @Test("Read first, the virtual twin is found out when its original comes to light")
  func virtualFirst() {
    #expect(
      judge([landing(2, virtual: true, at: 102), landing(1, virtual: false, at: 100)])
        == ["original", "original of 2"])
  }

  @Test("An echo never comes before its touch, nor more than 50 ms after it")
  func window() {
    let original = landing(1, virtual: false, at: 100)
    for (time, verdict) in [(99, "original"), (100, "echo"), (150, "echo"), (151, "original")]
      as [(Int64, String)]
    {
      #expect(
        judge([original, landing(2, virtual: true, at: time)]) == ["original", verdict], "\(time)")
    }
  }

  @Test("Each touch has one echo: ten fingers and their ten twins pair off, in either order")
  func tenFingers() {
    let real = (0..<10 as Range<UInt64>).map { landing($0, virtual: false, at: 100 + Int64($0)) }
    let twins = (0..<10 as Range<UInt64>).map {
      landing(100 + $0, virtual: true, at: 102 + Int64($0))
    }
    #expect(
      judge(real + twins) == Array(repeating: "original", count: 10)
        + Array(repeating: "echo", count: 10))
    #expect(judge(twins + real).suffix(10) == (100..<110).map { "original of \($0)" }[...])
    #expect(judge(real + twins + [landing(999, virtual: true, at: 112)]).last == "original")
  }

  @Test("Taps that waited for a late reader pair off, though each device is read to its end")
  func lateReader() {
    let real = (0..<10 as Range<UInt64>).map {
      landing($0, virtual: false, at: 1000 + 200 * Int64($0))
    }
    let twins = (0..<10 as Range<UInt64>).map {
      landing(100 + $0, virtual: true, at: 1002 + 200 * Int64($0))
    }
    #expect(judge(real + twins).suffix(10).allSatisfy { $0 == "echo" })
    #expect(judge(twins + real).suffix(10) == (100..<110).map { "original of \($0)" }[...])
  }

  @Test("Two real panels, or two virtual ones, are no echoes of each other")
  func alike() {
    for isVirtual in [false, true] {
      let verdicts = judge(
        (0..<100 as Range<UInt64>).map { landing($0, virtual: isVirtual, at: 100) })
      #expect(verdicts.allSatisfy { $0 == "original" })
    }
  }

  @Test("A device that is gone has no echoes")
  func forgotten() {
    var filter = EchoFilter()
    filter.isNeeded = true
    _ = filter.judge(landing(1, virtual: true, at: 100))
    filter.forget(1)
    #expect(name(filter.judge(landing(2, virtual: false, at: 99))) == "original")
  }

  @Test("A landing whose other cannot come any more is forgotten")
  func expired() {
    var filter = EchoFilter()
    filter.isNeeded = true
    _ = filter.judge(landing(1, virtual: false, at: 100))
    _ = filter.judge(landing(2, virtual: false, at: 120))
    #expect(filter.nextDeadline == .ms(200))
    filter.advance(to: .ms(200))
    #expect(filter.nextDeadline == .ms(220))
    #expect(name(filter.judge(landing(3, virtual: true, at: 130))) == "echo")
    #expect(filter.nextDeadline == nil)
  }

  @Test("Where all devices are of one kind no landing is kept, and those that were are forgotten")
  func needless() {
    var filter = EchoFilter()
    _ = filter.judge(landing(1, virtual: false, at: 100))
    #expect(filter.nextDeadline == nil)
    filter.isNeeded = true
    _ = filter.judge(landing(2, virtual: false, at: 100))
    #expect(filter.nextDeadline != nil)
    filter.isNeeded = false
    #expect(filter.nextDeadline == nil)
  }
}
