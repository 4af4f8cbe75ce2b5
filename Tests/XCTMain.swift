import Testing

/// The entry point of the test process. All tests use Swift Testing. With an entry point of its
/// own, the package is not searched for XCTest tests, for which SwiftPM would index the sources at
/// every build. In return, a filter of `swift test` needs `--enable-swift-testing
/// --disable-xctest`, as in `scripts/debug test`.
@main
struct XCTMain {
  static func main() async {
    // SwiftPM asks for XCTest tests.
    if CommandLine.arguments.contains("--dump-tests-json") {
      print(#"{"tests":[]}"#)
      return
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
