// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
]

let parsers: Target.Dependency = .product(name: "Parsers", package: "touchgrid")

// The fuzzer is a package of its own: it builds everything with the fuzzer's instrumentation, and
// such objects link with no other program.
let package = Package(
  name: "fuzz",
  dependencies: [
    .package(name: "touchgrid", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets"], path: "Engine", swiftSettings: swiftSettings),
    .target(
      name: "FuzzTargets", dependencies: [parsers], path: "Targets",
      swiftSettings: swiftSettings + [.define("FUZZING")]),
  ],
  swiftLanguageModes: [.v6]
)
