import ArgumentParser

/// An argument whose error names the accepted forms.
protocol FormedArgument: ExpressibleByArgument {
  /// The accepted forms in words, such as `an integer and a unit: 500ms, 30s`.
  static var forms: String { get }
}

extension FormedArgument {
  /// Parses the argument.
  /// - Throws: an error that names the accepted forms.
  static func read(_ text: String) throws -> Self {
    guard let value = Self(argument: text) else { throw ValidationError("it must be \(forms).") }
    return value
  }
}

/// Parses a number.
/// - Throws: an error that explains the accepted form.
func readNumber(_ text: String) throws -> Double {
  guard let number = Double(text), number.isFinite else {
    throw ValidationError("it must be a number, such as 2 or 0.5.")
  }
  return number
}

/// Parses an integer.
/// - Throws: an error that explains the accepted form.
func readInteger(_ text: String) throws -> Int {
  guard let number = Int(text) else { throw ValidationError("it must be an integer, such as 20.") }
  return number
}

/// Parses the number of a session.
/// - Throws: an error that names the verb that lists these numbers.
func readSession(_ text: String) throws -> Int64 {
  guard let number = Int64(text) else {
    throw ValidationError("it must be the number of a session; 'touchgrid sessions' lists them.")
  }
  return number
}
