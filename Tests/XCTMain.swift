import Testing

/// Where the tests' process begins. All tests are Swift Testing's. A package with an entry point of its own is not searched
/// for XCTest's tests, for which SwiftPM would write an index of the sources at every build. Its price: of `swift test` a
/// filter holds only with `--enable-swift-testing --disable-xctest`, as `scripts/debug test` says.
@main
struct XCTMain {
  static func main() async {
    // SwiftPM asks for XCTest's tests.
    if CommandLine.arguments.contains("--dump-tests-json") {
      print(#"{"tests":[]}"#)
      return
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
