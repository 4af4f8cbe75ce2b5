import Foundation
import TestSupport
import Testing

/// All that a release has is of one version.
@Suite struct VersionTests {
  /// Returns the version that stands in a file after some text.
  private func version(after text: String, in file: String) throws -> Substring {
    let content = try String(contentsOfFile: Project.path(file), encoding: .utf8)
    let start = try #require(content.firstRange(of: text), "\(file)").upperBound
    return content[start...].drop { $0 == "\"" }.prefix { $0 != "\"" }
  }

  @Test func `Clients and the fleet's program have the version of the daemon`() throws {
    let daemon = try version(
      after: "touchgridVersion = ", in: "Sources/Model/TouchModel/Version.swift")
    for (text, file) in [
      ("__version__ = ", "fleet/touchgrid_fleet/__init__.py"),
      ("__version__ = ", "clients/python/touchgrid/__init__.py"),
      ("\"version\": ", "clients/javascript/package.json"),
    ] {
      #expect(try version(after: text, in: file) == daemon, "\(file)")
    }
  }
}
