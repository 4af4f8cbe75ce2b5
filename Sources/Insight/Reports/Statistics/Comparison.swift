/// Compares the blocks of a grid between two sets of sessions, A and B, and finds the blocks that
/// differ by more than chance.
///
/// The rules, their reasons and their limits are in `docs/statistics.md`.
public struct Comparison: Sendable {
  /// The number of sessions that must have touched a block, on both sides together, for it to be
  /// compared.
  ///
  /// The filter ignores the side to which a session belongs, so the p values of the remaining
  /// blocks stay valid (R. Bourgon, R. Gentleman and W. Huber, "Independent filtering increases
  /// detection power for high-throughput experiments", PNAS 107, 2010).
  public static let minimumTouchedSessions: UInt64 = 10

  /// The share of the accepted false discoveries that merged cells may take if there are blocks as
  /// well, 0...1. Without this limit, many merged cells would make findings of blocks much rarer.
  public static let mergedPart = 0.2

  /// The counts of one block, or of one merged cell, on both sides.
  public struct Block: Hashable, Sendable {
    public var a: Sample
    public var b: Sample
    /// The number of sessions that touched the block, on both sides together.
    public var touchedSessions: UInt64
    /// Whether a mask reaches into the block on either side.
    public var isMasked: Bool
    /// Whether the block is part of a merged cell (`MergedCell`), and is not compared by itself.
    public var isMerged = false

    public init(a: Sample, b: Sample, touchedSessions: UInt64, isMasked: Bool) {
      self.a = a
      self.b = b
      self.touchedSessions = touchedSessions
      self.isMasked = isMasked
    }
  }

  /// The result for one block.
  public enum Verdict: String, CaseIterable, Sendable {
    /// The block is compared, and its mean in B is higher than in A by more than chance explains.
    case more
    /// The block is compared, and its mean in B is lower than in A by more than chance explains.
    case less
    /// The block is compared, and chance can explain the difference.
    case unclear
    /// The block is not compared: too few sessions touched it, or a side has fewer than two
    /// sessions.
    case tooFew
    /// The block is compared together with others, because too few sessions touched it.
    case merged
    /// The block is not compared: no session touched it.
    case untouched
    /// The block is not compared: a mask reaches into it on either side, so its counts are
    /// incomplete.
    case masked
  }

  /// The verdict on one block, and the numbers behind it.
  public struct Finding: Hashable, Sendable {
    public var verdict: Verdict
    /// The test; nil if the block is not compared, or if neither side has any variance.
    public var test: WelchTest?
    /// The p value, 0...1; nil if the block is not compared. 1 if there is no test.
    public var p: Double?
    /// The p value adjusted for the number of compared blocks (`FalseDiscoveryRate`), 0...1; nil if
    /// the block is not compared.
    public var q: Double?
  }

  /// The findings, in the order of the blocks and then of the merged cells.
  public let findings: [Finding]
  /// The number of compared blocks and merged cells: the size of the family of tests.
  public let compared: Int
  /// The test of a typical block, or of a typical merged cell if no block was tested, and the p
  /// value below which it would be a finding if nothing else differed.
  private let typical: (test: WelchTest, p: Double)?
  /// The accepted rate of false discoveries, 0...1.
  public let level: Double

  /// Compares all blocks and merged cells, as one family of tests.
  /// - Parameters:
  ///   - merged: the counts of the merged cells (`MergedCell`).
  ///   - level: the accepted rate of false discoveries, 0...1, usually 0.05.
  public init(_ blocks: [Block], merged: [Block] = [], level: Double) {
    var findings = (blocks + merged).map { block in
      var finding = Finding(verdict: Self.exclusion(block) ?? .unclear)
      guard finding.verdict == .unclear else { return finding }
      finding.test = WelchTest(block.a, block.b)
      // Without any variance there is no test. The block still counts as compared, with p = 1.
      finding.p = finding.test?.p ?? 1
      return finding
    }
    let members = findings.indices.filter { findings[$0].p != nil }
    let weights = Self.weights(members, blocks: blocks.count)
    let values = FalseDiscoveryRate.qValues(
      members.compactMap { findings[$0].p }, weights: weights)
    for (index, q) in zip(members, values) {
      findings[index].q = q
      guard q <= level, let difference = findings[index].test?.difference else { continue }
      findings[index].verdict = difference > 0 ? .more : .less
    }
    self.findings = findings
    compared = members.count
    self.level = level
    // Members below the number of blocks are blocks; the others are merged cells.
    let tests = zip(members, weights).compactMap { member, weight in
      findings[member].test.map { (test: $0, weight: weight) }
    }
    typical = tests.first.map { first in
      let alike = tests.filter { $0.weight == first.weight }.map(\.test)
        .sorted { $0.standardError < $1.standardError }
      return (alike[alike.count / 2], level * first.weight / Double(members.count))
    }
  }

  /// Returns the weights of the tests, with an average of 1.
  /// - Parameter blocks: the number of blocks; members from there on are merged cells.
  private static func weights(_ members: [Int], blocks: Int) -> [Double] {
    let merged = members.count { $0 >= blocks }
    let single = members.count - merged
    guard merged > 0, single > 0 else { return members.map { _ in 1 } }
    let all = Double(members.count)
    let (ofBlock, ofMerged) = (
      (1 - mergedPart) * all / Double(single), mergedPart * all / Double(merged)
    )
    return members.map { $0 < blocks ? ofBlock : ofMerged }
  }

  /// Returns why a block is not compared; nil if it is.
  private static func exclusion(_ block: Block) -> Verdict? {
    if block.isMasked { return .masked }
    if block.isMerged { return .merged }
    if block.touchedSessions == 0 { return .untouched }
    let isTold =
      block.touchedSessions >= minimumTouchedSessions && block.a.count > 1 && block.b.count > 1
    return isTold ? nil : .tooFew
  }

  /// Returns the number of blocks with a verdict.
  public func count(_ verdict: Verdict) -> Int {
    findings.reduce(0) { $0 + ($1.verdict == verdict ? 1 : 0) }
  }

  /// The difference of means that would be found with a probability of 80 % in a typical block, if
  /// no other block differed. The typical block has the median standard error. If no block was
  /// tested, the same for a merged cell; nil if nothing could be tested.
  public var detectable: Double? { typical.map { $0.test.detectable(p: $0.p) } }
}
