import Foundation
import Testing

/// Builds libraries for `LD_PRELOAD`.
enum Interposed {
  /// Compiles a library from C source.
  /// - Parameter variables: Additional environment variables.
  /// - Returns: The environment for a program that is to use the library.
  static func environment(
    _ source: String, in folder: URL, _ variables: [String: String] = [:]
  ) throws -> [String: String] {
    let (code, library) = (folder.appending(path: "code.c"), folder.appending(path: "code.so"))
    try source.write(to: code, atomically: true, encoding: .utf8)
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/cc")
    compiler.arguments = ["-shared", "-fPIC", "-o", library.path, code.path]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    var environment = ProcessInfo.processInfo.environment
    environment["LD_PRELOAD"] = library.path
    return environment.merging(variables) { $1 }
  }
}
