import Foundation
import PackagePlugin

/// Makes the Swift types of `io.touchgrid` by `scripts/interface`, whenever one of the two has changed.
@main struct InterfacePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let script = context.package.directoryURL.appending(path: "scripts/interface")
    let interface = target.directoryURL.appending(path: "io.touchgrid.varlink")
    let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedInterface.swift")
    return [
      .buildCommand(
        displayName: "Making the types of io.touchgrid",
        executable: URL(filePath: "/usr/bin/python3"),
        arguments: [script.path(), "swift", interface.path(), output.path()],
        inputFiles: [script, interface], outputFiles: [output])
    ]
  }
}
