import ArgumentParser

/// The verbs `touchgrid panel [status]` and `touchgrid panel test`.
struct Panel: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says whether the touchscreens are still good, and tests them.",
    discussion: """
      Without a subcommand, it is 'touchgrid panel status'; 'touchgrid panel status --help' has the \
      options and exit statuses.
      """,
    subcommands: [PanelStatus.self, PanelTest.self], defaultSubcommand: PanelStatus.self)
}
