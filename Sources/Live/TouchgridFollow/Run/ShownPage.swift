internal import Text
internal import TouchModel
internal import TouchgridAPI

/// A page in a browser that decides which screen is shown.
struct ShownPage: Equatable {
  /// The index of the source that shows it.
  var source: Int
  /// The daemon's name of the display; nil for all displays.
  var display: String?
  var name: String
  var isMasked: Bool
  var url: String
}

extension ShownScreens {
  /// Returns the page that a source observes, if it decides which screen is shown; nil if not.
  func page(_ url: String?, on display: String?, from source: Int) -> ShownPage? {
    guard let url, let change = current(on: display), change.sighting?.url == url else {
      return nil
    }
    return ShownPage(
      source: source, display: display, name: change.name, isMasked: change.isMasked, url: url)
  }

  /// Whether a page still decides which screen is shown.
  func shows(_ page: ShownPage) -> Bool {
    self.page(page.url, on: page.display, from: page.source) == page
  }
}

/// What the daemon masks, and the screens that it counts touches on. A picture of a page is taken
/// only if both allow it, and kept only if neither has changed since: an app may name another screen
/// than the page, or mask a screen for a moment.
struct DaemonScreens: Equatable {
  var masks: API.GetMasks.Reply
  /// The screens by display.
  var screens: [String: API.GetScreen.Reply] = [:]

  /// Returns this without the displays that do not show a page.
  func of(_ page: ShownPage, _ shown: ShownScreens) -> DaemonScreens {
    var found = self
    found.screens = screens.filter { display, _ in
      page.display.map { $0 == display }
        ?? (shown.current(on: display)?.sighting?.url == page.url)
    }
    return found
  }

  /// Returns why no picture of a page may be taken; nil if one may.
  func refusal(of page: ShownPage) -> String? {
    guard !masks.everything else {
      return "the daemon masks everything until it is set up: run 'sudo touchgrid setup'"
    }
    guard !page.isMasked, !masks.concerns(page.name) else {
      return "the screen \(page.name.quoted) is masked, and no picture is taken of it"
    }
    guard !screens.isEmpty else {
      return
        "no touchscreen lies on the display\(page.display.map { " \($0.quoted)" } ?? ""), so the "
        + "daemon does not know which screen it shows: connect the touchscreen"
    }
    let other = screens.values.map(\.screen).sorted().first { $0 != page.name }
    return other.map {
      "the page is named \(page.name.quoted), but the daemon counts touches on \($0.quoted): does "
        + "another program name the screens?"
    }
  }

  /// Returns what has changed since an earlier answer; nil if nothing has.
  func change(since earlier: DaemonScreens) -> String? {
    guard masks == earlier.masks else { return "the masks changed" }
    return screens == earlier.screens ? nil : "another screen was named"
  }
}

/// How long a page, and what the daemon says about it, must stay the same before its picture is taken,
/// and after it, in ms. A page may show something else before its address says so, and an app may
/// name a screen before it shows it.
enum PictureCalm {
  static let milliseconds = 1000
  /// How often the daemon is asked meanwhile, in ms.
  static let pause = 250

  /// - Parameters:
  ///   - since: the time of the last change, on `CLOCK_MONOTONIC`, in µs.
  ///   - time: now.
  static func isOver(since: Int64, at time: Int64) -> Bool {
    time - since >= Int64(milliseconds) * 1000
  }
}
