import Testing

/// The entry point of the test process. All tests use Swift Testing.
///
/// Without this entry point, SwiftPM would index the sources at every build to find XCTest tests.
/// The price: `swift test --filter` needs `--enable-swift-testing --disable-xctest`, as in
/// `scripts/debug test`.
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
