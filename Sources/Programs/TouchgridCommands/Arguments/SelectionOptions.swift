import ArgumentParser
import Storage
import Text
import TouchModel
import TouchgridAPI

/// The arguments that select the sessions and screens whose counts a verb shows.
struct SelectionOptions: ParsableArguments {
  @Argument(help: "The name of the screen. Default: all screens.", completion: .screens)
  var screen: String?

  @Option(help: ArgumentHelp("Only this session.", valueName: "id"), transform: readSession)
  var session: Int64?

  @OptionGroup var time: SpanOptions

  @OptionGroup var choice: FilterOptions

  @Option(
    help: ArgumentHelp("Only this display.", valueName: "name"), completion: .displays)
  var display: String?

  func validate() throws {
    if session != nil, time.since != nil || time.until != nil || choice.isGiven {
      throw ValidationError(
        "--session cannot be combined with --since, --until, \(FilterOptions.names).")
    }
  }

  var query: GridQuery {
    GridQuery(
      session.map { .one($0) } ?? .span(time.span, choice.filter), layer: .taps, screen: screen,
      display: display)
  }

  /// The selected sessions, for programs.
  var json: JSONValue {
    session.map { ["session": .integer($0)] } ?? choice.filter.json(in: time.span)
  }

  /// The selected sessions, for a terminal; empty if all are.
  var title: [String] {
    choice.filter.title(in: time.span).map { wrapped($0, to: Terminal.width) } ?? []
  }

  /// Returns the reason why there are no counts.
  /// - Parameter reason: the reason if sessions showed the screen.
  func nothing(_ past: Past, otherwise reason: String) throws -> any Error {
    try Self.nothing(
      past, time.span, choice.filter, screen: screen, display: display, otherwise: reason)
  }

  static func nothing(
    _ past: Past, _ span: TimeSpan, _ filter: SessionFilter, screen: String?, display: String?,
    otherwise reason: String
  ) throws -> any Error {
    if try Sessions.areUnknown(past, span, filter) {
      return NothingToShow(try Sessions.nothing(past, span, filter))
    }
    let shown = try past.screens(in: span).filter { display == nil || $0.display == display }
    if let screen, !shown.contains(where: { $0.screen == screen }) {
      return Failure(
        UnknownScreen.words(screen, before: shown.map(\.screen)) + " "
          + Set(shown.map { $0.screen.printable() }).sorted().joined(separator: ", "))
    }
    return NothingToShow(reason)
  }
}
