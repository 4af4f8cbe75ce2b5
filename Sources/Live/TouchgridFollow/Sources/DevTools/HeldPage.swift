/// A page that is not reported yet, because the browser has not said whether it could be loaded, or
/// is still listing its pages. An error page would otherwise get the name of the page that was
/// wanted, and the page that is listed first would be named without the masks of the others.
struct HeldPage {
  /// How long a page is held, in ms. The daemon waits longer for a name (`late_names`).
  private static let patience = 50
  /// How long a browser may take to list its pages, in ms.
  private static let listing = 5000

  struct Report: Equatable {
    var page: BrowserPages.Page?
    /// When it was shown, in µs on `CLOCK_MONOTONIC`.
    var time: Int64
  }

  private var held: Report?
  /// The last page that was reported.
  private(set) var last: BrowserPages.Page?

  /// How long the page is held that is held now, in ms; nil if none is.
  var patience: Int? {
    held.map { $0.page?.isListing == true ? Self.listing : Self.patience }
  }

  /// Applies what the browser reports.
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
        // The same page, which was shown since then, or one that takes its place in the list.
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

  /// Returns the page that is held, to be reported now.
  mutating func release() -> [Report] {
    guard let report = held else { return [] }
    held = nil
    last = report.page
    return [report]
  }

  /// Forgets the last page, because the browser is gone.
  /// - Returns: the page that is held, to be reported before; none if the browser had not yet listed
  ///   all, because another may have been shown.
  mutating func forget() -> [Report] {
    let reports = held?.page?.isListing == true ? [] : release()
    (held, last) = (nil, nil)
    return reports
  }
}
