internal import ArgumentParser
internal import TouchFeedback
internal import TouchModel
internal import TouchgridOverlay

@main
struct TouchgridOverlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchgrid-overlay",
    abstract: "Show every finger on the screen, while a demo is filmed.",
    version: touchgridVersion)

  func run() throws { _ = Overlay(style: BubbleStyle()) }
}
