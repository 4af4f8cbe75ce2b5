import Testing

/// Where the process of the tests begins. All are of Swift Testing; with a beginning of our own, SwiftPM looks for none of
/// XCTest, for which it would write an index of the sources at every build.
@main
struct XCTMain {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
