/// The blocks of a grid in two sets of sessions, A and B: in which do they differ?
///
/// The rules, their reasons and their limits are in `docs/statistics.md`.
public struct Comparison: Sendable {
  /// Sessions that must have touched a block, on both sides together, for it to be compared.
  ///
  /// Whether a block is left out is decided without looking at which side they were on, which leaves the
  /// others' p values what they are (R. Bourgon, R. Gentleman and W. Huber, "Independent filtering increases
  /// detection power for high-throughput experiments", PNAS 107, 2010).
  public static let leastTouchedSessions: UInt64 = 10

  /// One block on both sides.
  public struct Block: Hashable, Sendable {
    public var a: Sample
    public var b: Sample
    /// Sessions that touched it, on both sides together.
    public var touchedSessions: UInt64
    /// Whether touches in it were masked on either side.
    public var isMasked: Bool

    public init(a: Sample, b: Sample, touchedSessions: UInt64, isMasked: Bool) {
      self.a = a
      self.b = b
      self.touchedSessions = touchedSessions
      self.isMasked = isMasked
    }
  }

  public enum Verdict: String, CaseIterable, Sendable {
    /// B has more, beyond chance.
    case more
    /// B has less, beyond chance.
    case less
    /// Tested; chance may have done it.
    case unclear
    /// Touched by too few sessions, or too few sessions on a side.
    case tooFew
    /// By no session of either side.
    case untouched
    /// Counts say nothing.
    case masked
  }

  public struct Finding: Hashable, Sendable {
    public var verdict: Verdict
    /// nil where none was made: see the verdict; or where every session of a side has the same count.
    public var test: WelchTest?
    /// Of those that take part.
    public var p: Double?
    /// Adjusted for the number of blocks that take part.
    public var q: Double?
  }

  /// For each block, in their order.
  public let findings: [Finding]
  /// How many blocks take part: the size of the family.
  public let compared: Int
  /// The part of the discoveries that may be chance: 0...1.
  public let level: Double

  /// - Parameter level: 0...1, usually 0.05.
  public init(_ blocks: [Block], level: Double) {
    var findings = blocks.map { block in
      var finding = Finding(verdict: Self.exclusion(block) ?? .unclear)
      guard finding.verdict == .unclear else { return finding }
      finding.test = WelchTest(block.a, block.b)
      // Without any variance there is no test; it stays in the family, as one that shows nothing.
      finding.p = finding.test?.p ?? 1
      return finding
    }
    let members = findings.indices.filter { findings[$0].p != nil }
    let values = FalseDiscoveryRate.qValues(members.compactMap { findings[$0].p })
    for (index, q) in zip(members, values) {
      findings[index].q = q
      guard q <= level, let difference = findings[index].test?.difference else { continue }
      findings[index].verdict = difference > 0 ? .more : .less
    }
    self.findings = findings
    compared = members.count
    self.level = level
  }

  /// Why a block does not take part; nil where it does.
  private static func exclusion(_ block: Block) -> Verdict? {
    if block.isMasked { return .masked }
    if block.touchedSessions == 0 { return .untouched }
    let isTold =
      block.touchedSessions >= leastTouchedSessions && block.a.count > 1 && block.b.count > 1
    return isTold ? nil : .tooFew
  }

  public func count(_ verdict: Verdict) -> Int {
    findings.reduce(0) { $0 + ($1.verdict == verdict ? 1 : 0) }
  }

  /// The difference that would have been found four times out of five in a usual block, had it been the
  /// only one: usual is the median of the standard errors. nil where nothing could be tested.
  public var detectable: Double? {
    let tests = findings.compactMap(\.test).sorted { $0.standardError < $1.standardError }
    guard !tests.isEmpty else { return nil }
    return tests[tests.count / 2].detectable(p: level / Double(compared))
  }
}
