import ArgumentParser
import Storage

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

extension Panel {
  /// The exit status if the state is unknown.
  static let unknown: Int32 = 3

  /// Returns the error with the exit status for an unknown state, unless the error has a status of
  /// its own.
  static func unknown(_ error: any Error) -> Failure {
    var failure = Failure(String(describing: error))
    let own = (error as? StoreError)?.exitStatus ?? (error as? Failure)?.exitStatus ?? 1
    failure.exitStatus = own == 1 ? unknown : own
    return failure
  }
}
