import Foundation

/// The checkout from which the tests were built.
public enum Project {
  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")

  /// - Parameter name: relative to the checkout.
  public static func path(_ name: String) -> String { root + "/" + name }

  public static func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// The Python programs on a page.
  public static func programs(_ page: String) throws -> [String] {
    try text(page).split(separator: "```python\n").dropFirst()
      .compactMap { $0.split(separator: "```").first.map(String.init) }
  }
}
