internal import Glibc

/// The environment of this process.
package enum Environment {
  /// The value of a variable; nil where it is not set, or empty.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
