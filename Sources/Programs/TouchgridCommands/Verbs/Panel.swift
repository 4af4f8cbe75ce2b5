import ArgumentParser

/// The verb `touchgrid panel test`.
struct Panel: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tests a touchscreen.", subcommands: [PanelTest.self])
}
