import ArgumentParser

/// The verb `touchgrid panel [status]`.
struct Panel: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says whether the touchscreens are still good.",
    discussion: """
      Without a subcommand, it is 'touchgrid panel status'; 'touchgrid panel status --help' has the \
      options and exit statuses.
      """,
    subcommands: [PanelStatus.self], defaultSubcommand: PanelStatus.self)
}
