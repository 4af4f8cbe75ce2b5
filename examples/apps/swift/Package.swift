// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Kiosk",
  // In your package: .package(url: "https://…/touchgrid", from: "…", traits: []). Without its traits,
  // touchgrid needs no other package.
  dependencies: [.package(name: "touchgrid", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Kiosk", dependencies: [.product(name: "TouchgridAPI", package: "touchgrid")])
  ]
)
