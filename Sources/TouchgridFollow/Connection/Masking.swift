internal import ConfigurationFiles

/// Which screens the daemon could not mask, and what takes the place of their names.
///
/// The daemon takes a limited number of masks, of all clients together. A screen without its mask is never named: another
/// screen that is masked is named in its place. Where there is none, recording is paused while the screen is shown.
struct Masking {
  enum Step: Equatable {
    case say(ShownScreens.Change)
    case pause
    case resume
  }

  /// The masked screen that is named in the place of those in `lacking`.
  private var standIn: String?
  /// The screens whose masks found no room.
  private var lacking: Set<String> = []
  /// The displays that show one of these while there is no `standIn`; nil stands for all displays.
  private var hidden: Set<String?> = []
  /// This connection has paused recording.
  var isPaused = false

  /// - Parameters:
  ///   - configured: names of screens that the daemon's configuration masks as a whole.
  ///   - masked: names of screens that rules mask and that are masked as a whole already.
  init(configured: Set<String> = [], masked: Set<String> = []) {
    // A mask of the configuration is not removed by another client.
    standIn = configured.min() ?? masked.min()
  }

  /// A screen is masked now.
  mutating func add(_ name: String) {
    lacking.remove(name)
    if standIn == nil { standIn = name }
  }

  /// The daemon has no room for the mask of a screen.
  mutating func refuse(_ name: String) { lacking.insert(name) }

  /// Whether the mask of a screen found no room when it was last tried.
  func lacks(_ name: String) -> Bool { lacking.contains(name) }

  /// - Returns: what is to be done for a change, in this order.
  mutating func steps(for change: ShownScreens.Change) -> [Step] {
    var change = change
    if lacking.contains(change.name) {
      guard let standIn else {
        hide(change.display)
        return isPaused ? [] : [.pause]
      }
      change.name = standIn
    }
    reveal(change.display)
    return [.say(change)] + (isPaused && hidden.isEmpty ? [.resume] : [])
  }

  private mutating func hide(_ display: String?) {
    // A name for all displays replaces that of each.
    if display == nil { hidden = [] }
    hidden.insert(display)
  }

  private mutating func reveal(_ display: String?) {
    if display == nil { hidden = [] } else { hidden.remove(display) }
  }

  /// A line for the log about the screens without a mask; nil where all are masked.
  var report: String? {
    guard let first = lacking.min() else { return nil }
    let screens =
      lacking.count == 1 ? first.quoted : "\(first.quoted) and \(lacking.count - 1) more screens"
    let way =
      standIn.map { "they are named \($0.quoted), which is masked" }
      ?? "recording is paused while one of them is shown"
    return "the daemon has no room for the masks of \(screens): \(way); give several rules with "
      + "mask = true one screen, or mask screens in the daemon's configuration"
  }
}
