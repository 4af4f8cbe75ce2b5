internal import Glibc

/// The environment of this process.
package enum Environment {
  /// Returns the value of a variable; nil if it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
