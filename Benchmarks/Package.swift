// swift-tools-version: 6.2
import PackageDescription

// The benchmarks are a package of their own: the shipped package does not build them, and the
// builds of the two packages do not affect each other.
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
    .executableTarget(
      name: "panel",
      dependencies: [
        .product(name: "Parsers", package: "touchgrid"),
        .product(name: "Reports", package: "touchgrid"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
