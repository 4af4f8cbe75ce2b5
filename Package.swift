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
  ] + strictness

/// Settings for the modules with the most computation in tests. `scripts/debug` sets
/// TOUCHGRID_QUICK for a debug build that is both quick to make and quick to run.
let computing: [SwiftSetting] =
  Context.environment["TOUCHGRID_QUICK"] == nil
  ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "touchgrid",
  products: [
    .executable(name: "touchgridd", targets: ["touchgridd"]),
    .executable(name: "touchgrid", targets: ["touchgrid"]),
    .executable(name: "touchgrid-overlay", targets: ["touchgrid-overlay"]),
    .executable(name: "touchgrid-follow", targets: ["touchgrid-follow"]),
    // The library with which apps in Swift call the daemon.
    .library(name: "TouchgridAPI", targets: ["TouchgridAPI", "Varlink"]),
    // Creates and reads stores. Benchmarks creates a store of one year with it.
    .library(name: "Storage", targets: ["Storage", "TouchModel"]),
    // The modules that parse untrusted data, for Fuzz.
    .library(
      name: "Parsers",
      targets: [
        "ConfigurationFiles", "Decoding", "LinuxIO", "Recordings", "ScreenNaming", "Storage",
        "TouchFeedback", "TouchModel", "TouchTracks", "TouchgridAPI", "TouchgridDaemon",
        "TouchgridFollow", "Varlink",
      ]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // HTTP and web sockets, for the client of browsers' DevTools.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // C libraries, each wrapped by one Swift target below.
    .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
    .systemLibrary(name: "CLibudev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .systemLibrary(name: "CLibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    .systemLibrary(name: "CMtdev", pkgConfig: "mtdev", providers: [.apt(["libmtdev-dev"])]),
    // toml++, a header-only library: Debian's libtomlplusplus-dev.
    .target(name: "CToml"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(
      name: "CGTK", pkgConfig: "gtk-layer-shell-0",
      providers: [.apt(["libgtk-3-dev", "libgtk-layer-shell-dev"])]),
    .target(
      name: "COverlay", dependencies: ["CGTK"], cSettings: [.define("_GNU_SOURCE")],
      linkerSettings: [
        "gtk-3", "gdk-3", "gtk-layer-shell", "cairo", "gobject-2.0", "glib-2.0", "X11", "Xext",
        "wayland-client",
      ].map { .linkedLibrary($0) }),

    .target(
      name: "CWindows", cSettings: [.define("_GNU_SOURCE")],
      linkerSettings: ["xcb", "wayland-client"].map { .linkedLibrary($0) }),

    // The path of the data: device, decoding, model, store.
    .target(name: "TouchModel", swiftSettings: swiftSettings + computing),
    .target(
      name: "LinuxIO", dependencies: ["CLinux", "TouchModel"], swiftSettings: swiftSettings),
    .target(
      name: "Decoding", dependencies: ["TouchModel", "CMtdev"],
      swiftSettings: swiftSettings + computing),
    .target(
      name: "Evdev",
      dependencies: [
        "TouchModel", "LinuxIO", "Decoding", "CLinux", "CLibudev", "CLibevdev",
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "Recordings", dependencies: ["TouchModel"], swiftSettings: swiftSettings + computing),
    .target(
      name: "Storage", dependencies: ["TouchModel", "LinuxIO", "CSQLite", "CZlib"],
      swiftSettings: swiftSettings + computing),
    .target(
      name: "GridFormats", dependencies: ["TouchModel"], swiftSettings: swiftSettings + computing),
    .target(name: "Statistics", swiftSettings: swiftSettings + computing),
    .target(
      name: "HeatmapRendering", dependencies: ["TouchModel", "GridFormats", "CCairo", "CZlib"],
      swiftSettings: swiftSettings + computing),
    .target(
      name: "Reports", dependencies: ["TouchModel", "GridFormats"],
      resources: [.embedInCode("Page")], swiftSettings: swiftSettings),
    .target(name: "Varlink", dependencies: ["LinuxIO"], swiftSettings: swiftSettings + computing),
    .target(
      name: "TouchgridAPI", dependencies: ["TouchModel", "LinuxIO", "Varlink"],
      resources: [.embedInCode("io.touchgrid.varlink")], swiftSettings: swiftSettings),
    .target(
      name: "VirtualTouchscreen", dependencies: ["TouchModel", "CLibevdev"],
      swiftSettings: swiftSettings),
    .target(
      name: "TouchFeedback", dependencies: ["TouchModel"], swiftSettings: swiftSettings + computing),
    .target(
      name: "TouchTracks", dependencies: ["TouchModel", "TouchFeedback"],
      swiftSettings: swiftSettings),
    .target(
      name: "OverlayArguments", dependencies: ["TouchFeedback", arguments],
      swiftSettings: swiftSettings),
    .target(
      name: "TouchgridOverlay",
      dependencies: [
        "TouchModel", "LinuxIO", "TouchFeedback", "TouchgridAPI", "Varlink", "CGTK", "COverlay",
      ],
      swiftSettings: swiftSettings),
    // Error messages of the programs that use ArgumentParser.
    .target(
      name: "ProgramEnd", dependencies: ["TouchModel", arguments], swiftSettings: swiftSettings),
    .target(name: "ScreenNaming", dependencies: ["TouchModel"], swiftSettings: swiftSettings),
    .target(
      name: "ConfigurationFiles", dependencies: ["TouchModel", "CToml"],
      swiftSettings: swiftSettings),
    .target(
      name: "TouchgridFollow",
      dependencies: [
        "ConfigurationFiles", "CWindows", "LinuxIO", "ScreenNaming", "TouchModel", "TouchgridAPI",
        "Varlink",
      ]
        + ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"].map {
          .product(name: $0, package: "swift-nio")
        },
      swiftSettings: swiftSettings),
    .target(
      name: "TouchgridDaemon",
      dependencies: [
        "TouchModel", "LinuxIO", "Decoding", "Evdev", "Recordings", "Storage", "Varlink",
        "TouchgridAPI", "ConfigurationFiles",
      ],
      swiftSettings: swiftSettings),

    .executableTarget(
      name: "touchgridd", dependencies: ["ConfigurationFiles", "TouchModel", "TouchgridDaemon"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "touchgrid",
      dependencies: [
        "TouchModel", "Decoding", "GridFormats", "HeatmapRendering", "LinuxIO", "OverlayArguments",
        "ProgramEnd", "Recordings", "Reports", "Statistics", "Storage", "TouchFeedback",
        "TouchgridAPI", "TouchTracks", "Varlink", "VirtualTouchscreen", arguments,
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "touchgrid-overlay",
      dependencies: [
        "TouchModel", "OverlayArguments", "ProgramEnd", "TouchgridOverlay", arguments,
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "touchgrid-follow",
      dependencies: [
        "ConfigurationFiles", "ProgramEnd", "TouchModel", "TouchgridAPI", "TouchgridFollow",
        arguments,
      ],
      swiftSettings: swiftSettings),

    // The tests, and the code that they share.
    .target(name: "CTestZone", path: "Tests/CTestZone"),
    .target(
      name: "TestSupport", dependencies: ["TouchModel", "Recordings", "CTestZone"],
      path: "Tests/TestSupport",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TouchModelTests", dependencies: ["TouchModel", "TestSupport"],
      exclude: ["Golden"], swiftSettings: swiftSettings),
    .testTarget(
      name: "DecodingTests", dependencies: ["Decoding", "Recordings", "TouchModel", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "LinuxIOTests", dependencies: ["LinuxIO"], swiftSettings: swiftSettings),
    .testTarget(
      name: "EvdevTests", dependencies: ["Evdev", "LinuxIO", "TouchModel"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "RecordingsTests", dependencies: ["Recordings", "Decoding", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StorageTests", dependencies: ["Storage", "TestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "VirtualTouchscreenTests", dependencies: ["VirtualTouchscreen", "CLibevdev"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "GridFormatsTests", dependencies: ["GridFormats", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StatisticsTests", dependencies: ["Statistics", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "HeatmapRenderingTests",
      dependencies: ["HeatmapRendering", "GridFormats", "TouchModel", "TestSupport", "CCairo"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ReportsTests", dependencies: ["Reports", "GridFormats", "TouchModel", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "VarlinkTests", dependencies: ["Varlink", "LinuxIO", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TouchgridAPITests",
      dependencies: ["TouchgridAPI", "TouchModel", "Varlink", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TouchFeedbackTests", dependencies: ["TouchFeedback", "TouchModel", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TouchTracksTests",
      dependencies: ["TouchTracks", "TouchFeedback", "TouchModel", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TouchgridOverlayTests",
      dependencies: [
        "TouchgridOverlay", "LinuxIO", "TouchFeedback", "TouchModel", "TouchgridAPI", "CGTK",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ScreenNamingTests", dependencies: ["ScreenNaming", "TouchModel", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TouchgridFollowTests",
      dependencies: ["TouchgridFollow", "ConfigurationFiles", "ScreenNaming", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TouchgridDaemonTests",
      dependencies: [
        "ConfigurationFiles", "TouchgridDaemon", "touchgridd", "Storage", "Recordings",
        "TouchgridAPI", "Varlink",
        "Decoding", "Evdev", "LinuxIO", "TestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "CTestZone", "touchgrid", "touchgridd", "GridFormats", "HeatmapRendering", "LinuxIO",
        "OverlayArguments", "Recordings", "Reports", "Statistics", "Storage", "TestSupport",
        "TouchFeedback", "TouchTracks", "TouchgridAPI", "Varlink", arguments,
      ],
      swiftSettings: swiftSettings),
    // Runs the fuzzers' targets on every input that has been kept.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "ConfigurationFiles", "Decoding", "LinuxIO", "Recordings", "ScreenNaming", "Storage",
        "TouchFeedback", "TouchModel", "TouchTracks", "TouchgridAPI", "TouchgridDaemon",
        "TouchgridFollow", "Varlink", "touchgrid",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "GuestTests", dependencies: ["Storage", "Recordings", "TouchModel", "TestSupport"],
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
