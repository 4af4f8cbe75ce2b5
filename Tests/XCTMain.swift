import Testing

/// Where the tests' process begins. All tests are Swift Testing's. With an entry point of its own a package needs no search
/// for XCTest's, for which SwiftPM would write an index of the sources at every build.
@main
struct XCTMain {
  static func main() async {
    // `swift test` starts the process once more, for XCTest, without saying so.
    guard CommandLine.arguments.contains("swift-testing") else {
      print("No tests of XCTest; --testing-library swift-testing runs all others.")
      return
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
