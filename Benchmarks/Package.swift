// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what only measures is built with nothing that is shipped, and its builds
// touch no other.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
]

let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "touchgrid", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "year",
      dependencies: [
        .product(name: "Storage", package: "touchgrid"),
        .product(name: "TouchgridAPI", package: "touchgrid"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "growth",
      dependencies: [
        .product(name: "Parsers", package: "touchgrid"),
        .product(name: "Storage", package: "touchgrid"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "flow",
      dependencies: [
        .product(name: "Parsers", package: "touchgrid"),
        .product(name: "Storage", package: "touchgrid"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
