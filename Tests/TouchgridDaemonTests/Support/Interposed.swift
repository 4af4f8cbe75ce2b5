import Foundation
import TestSupport
import Testing

/// Builds libraries for `LD_PRELOAD`.
enum Interposed {
  /// Compiles a library from C source.
  /// - Parameter variables: Additional environment variables.
  /// - Returns: The environment for a program that is to use the library.
  static func environment(
    _ source: String, in folder: TemporaryFolder, _ variables: [String: String] = [:]
  ) throws -> [String: String] {
    let (code, library) = (try folder.write(source, to: "code.c"), folder.path("code.so"))
    let compiled = try run(["cc", "-shared", "-fPIC", "-o", library, code])
    try #require(compiled.status == 0, "\(compiled.output)")
    var environment = ProcessInfo.processInfo.environment
    environment["LD_PRELOAD"] = library
    return environment.merging(variables) { $1 }
  }
}
