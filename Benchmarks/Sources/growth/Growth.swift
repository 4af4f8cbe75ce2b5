import ArgumentParser

@main
struct Growth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth", abstract: "How what the store does grows with what is in it.",
    subcommands: [Fill.self, End.self, DayOver.self, Open.self, Panels.self])
}
