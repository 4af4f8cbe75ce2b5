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

/// The daemon's masks, and the screens on which it counts touches. A picture of a page is taken
/// only if both allow it, and kept only if neither has changed since. An app may name another
/// screen than the page's, or mask a screen briefly.
struct DaemonScreens: Equatable {
  var masks: API.GetMasks.Reply
  /// The screens by display.
  var screens: [String: API.GetScreen.Reply] = [:]

  /// Returns this without the displays that show other pages.
  func of(_ page: ShownPage, _ shown: ShownScreens) -> DaemonScreens {
    var found = self
    found.screens = screens.filter { display, _ in
      page.display.map { $0 == display }
        ?? (shown.current(on: display)?.sighting?.url == page.url)
    }
    return found
  }

  /// Returns the reason why no picture of a page may be taken; nil if one may.
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

  /// Returns the change since an earlier answer, as text; nil if there is none.
  func change(since earlier: DaemonScreens) -> String? {
    guard masks == earlier.masks else { return "the masks changed" }
    return screens == earlier.screens ? nil : "another screen was named"
  }
}

/// The time in ms for which a page and the daemon's answer about it must stay the same before its
/// picture is taken, and afterwards. A page may change before its address does, and an app may name
/// a screen before it shows it.
enum PictureCalm {
  static let milliseconds = 1000
  /// The interval of the queries to the daemon meanwhile, in ms.
  static let pause = 250

  /// - Parameters:
  ///   - since: the time of the last change, on `CLOCK_MONOTONIC`, in µs.
  ///   - time: the current time, on the same clock.
  static func isOver(since: Int64, at time: Int64) -> Bool {
    time - since >= Int64(milliseconds) * 1000
  }
}
