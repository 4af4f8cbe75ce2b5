// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
]

let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let parsers: Target.Dependency = .product(name: "Parsers", package: "touchgrid")

// The fuzzer is a package of its own: it builds everything with the fuzzer's instrumentation, and
// such objects link with no other program.
let package = Package(
  name: "fuzz",
  dependencies: [
    .package(name: "touchgrid", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets"], path: "Engine", swiftSettings: swiftSettings),
    .target(
      name: "FuzzTargets", dependencies: ["CommandLineParsers", parsers], path: "Targets",
      swiftSettings: swiftSettings + [.define("FUZZING")]),
    // These are symbolic links to files of `touchgrid`, because only test targets can import the
    // modules of an executable.
    .target(
      name: "CommandLineParsers", dependencies: [parsers, arguments], path: "CommandLine",
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)
