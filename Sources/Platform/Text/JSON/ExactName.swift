/// A name that is compared by its UTF-8 bytes, as other programs do. `String` treats canonically
/// equivalent names as equal, although their bytes differ, and the comparison takes about 200 ns
/// per byte for names full of combining marks.
package struct ExactName: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: ExactName, other: ExactName) -> Bool { one == other.text }

  package static func == (one: ExactName, text: String) -> Bool {
    one.text.utf8.elementsEqual(text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension Sequence<ExactName> {
  /// Whether two of the names differ, but are equal as `String`. A dictionary with `String` keys
  /// would lose one of them.
  var hasEquivalents: Bool {
    // ASCII text has only one canonical form.
    let others = filter { !$0.text.utf8.allSatisfy { $0 < 0x80 } }
    return others.count > 1 && Set(others.map(\.text)).count < others.count
  }
}
