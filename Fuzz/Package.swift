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

// A package of its own: everything that is fuzzed is built with the fuzzer's counters in it, and what
// is built so links with no program but this.
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
    // Links to files of the program: nothing but its tests can link a program's own modules.
    .target(
      name: "CommandLineParsers", dependencies: [parsers, arguments], path: "CommandLine",
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)
