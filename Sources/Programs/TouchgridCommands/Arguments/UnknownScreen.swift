import Text

/// The message about a screen that no session showed.
enum UnknownScreen {
  /// - Parameter known: the names of the screens that were shown.
  static func words(_ screen: String, _ known: [String]) -> String {
    let near = nearest(screen, in: known).map { "; did you mean '\($0.printable())'?" } ?? ""
    return "no such screen was shown" + near
  }

  /// The same, before a list of the screens that were shown.
  static func words(_ screen: String, before known: [String]) -> String {
    let words = words(screen, known)
    return words + (words.hasSuffix("?") ? " The screens are:" : "; the screens are:")
  }
}
