// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors only in CI: a newer compiler has new warnings, which must not stop a user's
/// build.
let strictness: [SwiftSetting] =
  Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

let swiftSettings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    // A clock that tests move, for `touchgridd --test-clock`. Release builds do not have it.
    .define("TOUCHGRID_TEST_CLOCK", .when(configuration: .debug)),
  ] + strictness

/// Settings for the modules with the most computation in tests. `scripts/debug` sets
/// TOUCHGRID_QUICK for a debug build that is both quick to make and quick to run.
let computing: [SwiftSetting] =
  Context.environment["TOUCHGRID_QUICK"] == nil
  ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// An app that uses TouchgridAPI turns this trait off, and then fetches no other package.
let programs: TargetDependencyCondition? = .when(traits: ["Programs"])

let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: programs)

/// Returns a library in the folder of its floor. A target imports only from its own floor and from
/// those before it, or `FloorTests` fails.
func library(
  _ floor: String, _ name: String, _ dependencies: [Target.Dependency] = [],
  resources: [Resource]? = nil, computes: Bool = false, plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)", resources: resources,
    swiftSettings: swiftSettings + (computes ? computing : []), plugins: plugins)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Programs/\(name)",
    swiftSettings: swiftSettings)
}

/// Returns a C library of our own.
func cLibrary(
  _ floor: String, _ name: String, _ dependencies: [Target.Dependency] = [], links: [String] = [],
  exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)", exclude: exclude,
    cSettings: [.define("_GNU_SOURCE")], linkerSettings: links.map { .linkedLibrary($0) })
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies + ["TestSupport"],
    swiftSettings: swiftSettings)
}

let package = Package(
  name: "touchgrid",
  products: [
    .executable(name: "touchgridd", targets: ["touchgridd"]),
    .executable(name: "touchgrid", targets: ["touchgrid"]),
    .executable(name: "touchgrid-overlay", targets: ["touchgrid-overlay"]),
    .executable(name: "touchgrid-follow", targets: ["touchgrid-follow"]),
    // The library with which apps in Swift call the daemon.
    .library(name: "TouchgridAPI", targets: ["TouchgridAPI"]),
    // The same for asynchronous functions. No program of this package links their run-time.
    .library(name: "TouchgridAsync", targets: ["TouchgridAsync"]),
    // Creates and reads stores. Benchmarks creates a store of one year with it.
    .library(name: "Storage", targets: ["Storage", "TouchModel"]),
    // Judges panels. Benchmarks measures how soon and how often it is wrong.
    .library(name: "Reports", targets: ["Reports", "TouchModel"]),
    // The modules that parse untrusted data, for Fuzz.
    .library(
      name: "Parsers",
      targets: [
        "ConfigurationFiles", "Heatmaps", "LinuxIO", "Recordings", "Storage", "Text",
        "TouchFeedback", "TouchInput", "TouchModel", "TouchgridAPI", "TouchgridCommands",
        "TouchgridDaemon", "TouchgridFollow", "Varlink",
      ]),
  ],
  traits: [
    .trait(name: "Programs", description: "The programs, and the packages that they need."),
    .default(enabledTraits: ["Programs"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // HTTP and web sockets, for the client of browsers' DevTools.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // System calls, C libraries of the system, and text. Nothing here knows a touch.
    cLibrary("Platform", "CLinux"),
    library("Platform", "Text", ["CLinux"], computes: true),
    library("Platform", "LinuxIO", ["CLinux", "Text"]),

    // What a touch, a grid, a mask and a session are. Pure.
    library("Model", "TouchModel", ["Text"], computes: true),

    // Devices, and recordings of devices.
    library("Input", "TouchInput", ["CLinux", "LinuxIO", "Text", "TouchModel"], computes: true),
    library("Input", "Recordings", ["CLinux", "Text", "TouchModel"], computes: true),

    // The file.
    library("Store", "Storage", ["CLinux", "LinuxIO", "Text", "TouchModel"], computes: true),

    // The daemon, and how to call it.
    library("Service", "Varlink", ["LinuxIO", "Text"], computes: true),
    library(
      "Service", "TouchgridAPI", ["LinuxIO", "Text", "TouchModel", "Varlink"],
      resources: [.embedInCode("io.touchgrid.varlink")],
      plugins: ["InterfacePlugin"]),
    .plugin(name: "InterfacePlugin", capability: .buildTool),
    library("Service", "TouchgridAsync", ["TouchgridAPI"]),
    // toml++, a header-only library: Debian's libtomlplusplus-dev.
    cLibrary("Service", "CToml"),
    library(
      "Service", "ConfigurationFiles", ["CToml", "Text", "TouchModel"], computes: true),
    library(
      "Service", "TouchgridDaemon",
      [
        "ConfigurationFiles", "LinuxIO", "Recordings", "Storage", "Text", "TouchInput",
        "TouchModel", "TouchgridAPI", "Varlink",
      ]),

    // Answers as text, pictures and pages.
    library("Insight", "Heatmaps", ["CLinux", "Text", "TouchModel"], computes: true),
    library(
      "Insight", "Reports", ["Heatmaps", "Text", "TouchModel"],
      resources: [.embedInCode("Page")], computes: true),

    // Touches and screens while people touch.
    library("Live", "TouchFeedback", ["Text", "TouchModel"], computes: true),
    .systemLibrary(
      name: "CGTK", path: "Sources/Live/CGTK", pkgConfig: "gtk-layer-shell-0",
      providers: [.apt(["libgtk-3-dev", "libgtk-layer-shell-dev", "libxss-dev"])]),
    cLibrary(
      "Live", "COverlay", ["CGTK"],
      links: [
        "gtk-3", "gdk-3", "gtk-layer-shell", "cairo", "gobject-2.0", "glib-2.0", "X11", "Xext",
        "Xss", "wayland-client",
      ]),
    library(
      "Live", "TouchgridOverlay",
      [
        "CGTK", "COverlay", "LinuxIO", "Text", "TouchFeedback", "TouchModel", "TouchgridAPI",
      ]),
    // `scripts/wayland-protocols` makes the C files in `Protocols` from the XML.
    cLibrary(
      "Live", "CWindows", links: ["xcb", "wayland-client"],
      exclude: ["Protocols/wlr-foreign-toplevel-management-unstable-v1.xml"]),
    library(
      "Live", "TouchgridFollow",
      [
        "CLinux", "ConfigurationFiles", "CWindows", "LinuxIO", "Text", "TouchModel",
        "TouchgridAPI",
      ]
        + ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"].map {
          .product(name: $0, package: "swift-nio", condition: programs)
        }, resources: [.embedInCode("Page")]),

    // Arguments, and calls into the libraries.
    library("Programs", "ProgramArguments", ["Text", "TouchFeedback", "TouchModel", arguments]),
    library(
      "Programs", "TouchgridCommands",
      [
        "CLinux", "ConfigurationFiles", "Heatmaps", "LinuxIO", "ProgramArguments", "Recordings",
        "Reports", "Storage", "Text", "TouchFeedback", "TouchInput", "TouchModel", "TouchgridAPI",
        arguments,
      ]),
    program("touchgridd", ["TouchgridDaemon"]),
    program("touchgrid", ["TouchgridCommands"]),
    program(
      "touchgrid-overlay",
      ["ProgramArguments", "Text", "TouchModel", "TouchgridOverlay", arguments]),
    program(
      "touchgrid-follow",
      [
        "ConfigurationFiles", "ProgramArguments", "Text", "TouchModel", "TouchgridAPI",
        "TouchgridFollow", arguments,
      ]),

    // The tests, and the code that they share.
    .target(name: "CTestZone", path: "Tests/CTestZone"),
    .target(
      name: "TestSupport", dependencies: ["CLinux", "CTestZone", "Recordings", "TouchModel"],
      path: "Tests/TestSupport", swiftSettings: swiftSettings + computing),
    tests(of: "Structure"),
    tests(of: "Text", ["Text"]),
    tests(of: "LinuxIO", ["LinuxIO"]),
    tests(of: "TouchModel", ["Text", "TouchModel"]),
    tests(of: "TouchInput", ["LinuxIO", "Recordings", "TouchInput", "TouchModel"]),
    tests(of: "Recordings", ["CLinux", "Recordings", "TouchInput", "TouchModel"]),
    tests(of: "Storage", ["CLinux", "Storage", "TouchModel"]),
    tests(of: "Varlink", ["LinuxIO", "Text", "Varlink"]),
    tests(of: "TouchgridAPI", ["Text", "TouchModel", "TouchgridAPI", "Varlink"]),
    tests(
      of: "TouchgridDaemon",
      [
        "ConfigurationFiles", "LinuxIO", "Recordings", "Storage", "Text", "TouchInput",
        "TouchModel", "TouchgridAPI", "TouchgridAsync", "TouchgridDaemon", "Varlink",
      ]),
    tests(of: "Heatmaps", ["CLinux", "Heatmaps", "Text", "TouchModel"]),
    tests(of: "Reports", ["Heatmaps", "Reports", "Text", "TouchModel"]),
    tests(of: "TouchFeedback", ["TouchFeedback", "TouchModel"]),
    tests(
      of: "TouchgridOverlay",
      ["CGTK", "LinuxIO", "TouchFeedback", "TouchModel", "TouchgridAPI", "TouchgridOverlay"]),
    tests(
      of: "TouchgridFollow",
      [
        "CLinux", "ConfigurationFiles", "LinuxIO", "Text", "TouchModel", "TouchgridAPI",
        "TouchgridFollow",
      ]),
    tests(
      of: "CommandLine",
      [
        "ConfigurationFiles", "CTestZone", "Heatmaps", "LinuxIO", "ProgramArguments", "Recordings",
        "Reports", "Storage", "Text", "TouchFeedback", "TouchInput", "TouchModel", "TouchgridAPI",
        "TouchgridCommands", "TouchgridDaemon", "Varlink", arguments,
      ]),
    // Runs the fuzzers' targets on every input that has been kept.
    tests(
      of: "Fuzz",
      [
        "ConfigurationFiles", "Heatmaps", "LinuxIO", "Recordings", "Storage", "Text",
        "TouchFeedback", "TouchInput", "TouchModel", "TouchgridAPI", "TouchgridCommands",
        "TouchgridDaemon", "TouchgridFollow", "Varlink",
      ]),
    tests(of: "Guest", ["Recordings", "Storage", "Text", "TouchModel"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// The programs with one kind of counts more, for tests: not in release builds.
if Context.environment["TOUCHGRID_QUICK"] != nil {
  package.targets.append(
    .executableTarget(
      name: "OwnKind", dependencies: ["TouchModel", "TouchgridCommands", "TouchgridDaemon"],
      path: "Tests/OwnKind", swiftSettings: swiftSettings))
}

// `make test-long` and `scripts/arm64 test` name the only test modules that they build.
if let names = Context.environment["TOUCHGRID_TESTS"] {
  let wanted = names.split(separator: " ").map(String.init)
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
