import ArgumentParser

@main
struct Year: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "year", abstract: "How long a question about a year of a busy kiosk takes.",
    subcommands: [Make.self, Ask.self])
}
