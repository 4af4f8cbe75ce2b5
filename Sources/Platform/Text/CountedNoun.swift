/// Returns a number with its noun, such as `1 touch` or `2 touches`.
/// - Parameters:
///   - one: the singular.
///   - many: the plural; by default the singular with an s.
///   - groupsDigits: whether to write commas between the thousands. Negative counts become 0 then.
public func counted(
  _ count: some BinaryInteger, _ one: String, _ many: String? = nil, groupsDigits: Bool = false
) -> String {
  let digits = groupsDigits ? groupedDigits(UInt64(clamping: count)) : String(count)
  return "\(digits) \(count == 1 ? one : many ?? one + "s")"
}
