/// A name that is compared by its UTF-8 bytes, as other programs do. `String` compares what characters the bytes stand
/// for: it takes two different names for one, and some 200 ns a byte for names full of combining marks.
struct ExactName: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (one: ExactName, other: ExactName) -> Bool { one == other.text }

  static func == (one: ExactName, text: String) -> Bool { one.text.utf8.elementsEqual(text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension Sequence<ExactName> {
  /// Whether two of them, which differ, are one and the same `String`: a dictionary would lose one.
  var hasEquivalents: Bool {
    // ASCII has one form only.
    let others = filter { !$0.text.utf8.allSatisfy { $0 < 0x80 } }
    return others.count > 1 && Set(others.map(\.text)).count < others.count
  }
}
