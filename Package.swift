// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors where nobody reads them; a newer compiler's warnings stop no user's build.
let strictness: [SwiftSetting] =
  Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

let swiftSettings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ] + strictness

let package = Package(
  name: "touchgrid",
  targets: [

    // The way of the data: device, decoding, model, store.
    .target(name: "TouchModel", swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)
