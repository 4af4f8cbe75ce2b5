internal import ConfigurationFiles
internal import Text

/// The screens that the daemon could not mask, and the steps that replace naming them.
///
/// The daemon accepts a limited number of masks, from all clients together. A screen without its
/// mask is never named: a masked screen is named instead. If there is none, recording is paused
/// while the screen is shown.
struct UnmaskedScreens {
  enum Step: Equatable {
    case send(ShownScreens.Change)
    case pause
    case resume
  }

  /// The masked screen that is named instead of those in `lacking`.
  private var standIn: String?
  /// The screens that could not be masked, because the daemon accepts no more masks.
  private var lacking: Set<String> = []
  /// The screens that are masked only once they are shown.
  private var later: Set<String> = []
  /// The displays that show a screen of `lacking` while there is no `standIn`; nil stands for all
  /// displays.
  private var hidden: Set<String?> = []
  /// Whether this connection has paused recording.
  var isPaused = false

  /// - Parameters:
  ///   - configured: The names of screens that the daemon's configuration masks as a whole.
  ///   - masked: The names of screens that rules mask and that are masked as a whole already.
  ///   - later: The names of screens that get their masks when they are shown for the first time.
  init(configured: Set<String> = [], masked: Set<String> = [], later: Set<String> = []) {
    self.later = later.subtracting(configured).subtracting(masked)
    // Prefer a mask of the configuration, because other clients cannot remove it.
    standIn = configured.min() ?? masked.min()
  }

  /// Records that a screen is masked now.
  mutating func add(_ name: String) {
    lacking.remove(name)
    later.remove(name)
    if standIn == nil { standIn = name }
  }

  /// Records that the daemon has no room for the mask of a screen.
  mutating func refuse(_ name: String) {
    lacking.insert(name)
    later.remove(name)
  }

  /// Returns whether a screen has no mask yet: because the daemon had no room at the last attempt,
  /// or because the screen has not been shown.
  func lacks(_ name: String) -> Bool { lacking.contains(name) || later.contains(name) }

  /// Returns the steps that a change requires, in order; empty if recording is already paused for
  /// such a screen.
  mutating func steps(for change: ShownScreens.Change) -> [Step] {
    var change = change
    if lacking.contains(change.name) {
      guard let standIn else {
        return hide(change.display)
      }
      change.name = standIn
    }
    reveal(change.display)
    return [.send(change)] + (isPaused && hidden.isEmpty ? [.resume] : [])
  }

  /// Returns the steps for a display whose masked screen the daemon cannot name.
  mutating func hide(_ display: String?) -> [Step] {
    // A name for all displays replaces the names of single displays.
    if display == nil { hidden = [] }
    hidden.insert(display)
    return isPaused ? [] : [.pause]
  }

  private mutating func reveal(_ display: String?) {
    if display == nil { hidden = [] } else { hidden.remove(display) }
  }

  /// A line for the log about the screens without a mask; nil if all are masked.
  var report: String? {
    guard let first = lacking.min() else { return nil }
    let screens =
      lacking.count == 1
      ? first.quoted
      : "\(first.quoted) and \(lacking.count - 1) more \(lacking.count == 2 ? "screen" : "screens")"
    let way =
      standIn.map { "touches there are recorded on the screen \($0.quoted), which is masked" }
      ?? "recording is paused while \(lacking.count == 1 ? "it" : "one of them") is shown"
    return
      "the daemon accepts no more masks, and has none for \(screens): \(way); give several rules "
      + "with mask = true the same screen, or mask screens in the daemon's configuration"
  }
}
