extension String {
  /// Whether a pattern matches the whole text: `*` matches any number of characters, `?` exactly
  /// one. The time is at most proportional to the product of both lengths.
  public func matches(wildcards pattern: String) -> Bool {
    let pattern = Array(pattern)
    let text = Array(self)
    var next = 0
    var position = 0
    // The state to return to after a mismatch, so that the last `*` matches one character more.
    var retry: (pattern: Int, text: Int)?
    while position < text.count {
      if next < pattern.count, pattern[next] == "*" {
        next += 1
        retry = (next, position)
      } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[position] {
        next += 1
        position += 1
      } else if let last = retry {
        next = last.pattern
        position = last.text + 1
        retry = (next, position)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}
