// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Kiosk",
  // In your package: .package(url: "https://…/touchgrid", from: "…")
  dependencies: [.package(name: "touchgrid", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Kiosk", dependencies: [.product(name: "TouchgridAPI", package: "touchgrid")])
  ]
)
