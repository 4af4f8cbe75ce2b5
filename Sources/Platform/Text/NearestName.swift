/// Returns the name that the text most resembles; nil if no name is similar enough, or if the text
/// has more than 64 bytes. The edit distance may be at most a third of the name's length; for names
/// of fewer than six characters, one.
public func nearest(_ text: String, in names: [String]) -> String? {
  guard text.utf8.count <= 64 else { return nil }
  let typed = text.lowercased()
  let distances = names.map { (name: $0, distance: editDistance(typed, $0)) }
  guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, best.name.count / 3) ? best.name : nil
}

/// Returns the edit distance: the smallest number of insertions, deletions, replacements and swaps
/// of adjacent characters that turn `left` into `right`.
package func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left)
  let right = Array(right)
  // The last two rows of the table of edit distances.
  var before: [Int] = []
  var last = Array(0...right.count)
  for (i, character) in left.enumerated() {
    var row = [i + 1]
    for (j, other) in right.enumerated() {
      var distance = min(last[j + 1] + 1, row[j] + 1, last[j] + (character == other ? 0 : 1))
      if i > 0, j > 0, character == right[j - 1], left[i - 1] == other {
        distance = min(distance, before[j - 1] + 1)
      }
      row.append(distance)
    }
    before = last
    last = row
  }
  return last[right.count]
}
