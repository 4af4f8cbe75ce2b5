/// A page that is not reported yet, because the browser has not reported whether it was loaded, or
/// is still listing its pages. Otherwise an error page would get the name of the requested page,
/// and the first listed page would be named without the masks of the others.
struct HeldPage {
  /// The time for which a page is held, in ms. It is shorter than the daemon's default for
  /// `late_names`.
  private static let holding = 50
  /// The longest time for which a page is held while the browser lists its pages, in ms.
  private static let listing = 5000

  struct Report: Equatable {
    var page: BrowserPages.Page?
    /// The time at which it was shown, in µs on `CLOCK_MONOTONIC`.
    var time: Int64
  }

  private var held: Report?
  /// The last page that was reported.
  private(set) var last: BrowserPages.Page?

  /// The time for which the current page is held, in ms; nil if there is none.
  var patience: Int? {
    held.map { $0.page?.isListing == true ? Self.listing : Self.holding }
  }

  /// Applies a report of the browser.
  /// - Parameter isMasked: Whether a page has a mask. Such a page is not held, because a mask must not
  ///   come late.
  /// - Returns: the pages to report, in this order.
  mutating func add(
    _ page: BrowserPages.Page?, at time: Int64, isMasked: (Observation) -> Bool
  ) -> [Report] {
    var report = Report(page: page, time: time)
    var reports: [Report] = []
    if let held {
      let isSame = held.page?.target == page?.target && held.page?.url == page?.url
      if held.page?.isListing == true || isSame {
        // This is the same page, which was already shown at that time, or one that takes its place
        // in the list.
        report.time = held.time
        self.held = nil
      } else {
        reports = release()
      }
    }
    guard page != last else { return reports }
    if let page, !page.isSure || page.isListing, page.url != last?.url, !isMasked(page.observation)
    {
      held = report
      return reports
    }
    last = page
    return reports + [report]
  }

  /// Returns the held page, to be reported now.
  mutating func release() -> [Report] {
    guard let report = held else { return [] }
    held = nil
    last = report.page
    return [report]
  }

  /// Forgets the last page, because the browser is gone.
  /// - Returns: the held page, to be reported before; empty if the browser was still listing its
  ///   pages, because another page may have been shown.
  mutating func forget() -> [Report] {
    let reports = held?.page?.isListing == true ? [] : release()
    (held, last) = (nil, nil)
    return reports
  }
}
