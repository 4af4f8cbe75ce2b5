/// The kind of a page, by its address.
enum AddressKind: Sendable {
  /// The page has an address of its own, which names it.
  case page
  /// The page has no address of its own, because another page made it: `about:blank`, `blob:` and
  /// `data:`. Its content belongs to that page.
  case none
  /// The page is the browser's own, such as its settings, a print dialog, or the list below its
  /// address bar. It names no screen.
  case browser
  /// The page could not be loaded, and its address does not contain the requested one.
  case failed

  /// Schemes of the browsers' own pages, besides those that begin with `chrome-`.
  private static let browserSchemes: Set<String> = [
    "about", "brave", "chrome", "devtools", "edge", "extension", "moz-extension", "opera",
    "resource", "view-source", "vivaldi",
  ]
  private static let addresslessSchemes: Set<String> = ["blob", "data", "filesystem", "javascript"]

  init(_ url: String) {
    let bytes = url.utf8.prefix(32)
    guard let scheme = PageAddress.scheme(Array(bytes)[...]) else {
      self = .page
      return
    }
    if Self.addresslessSchemes.contains(scheme) {
      self = .none
    } else if scheme == "chrome-error" {
      self = .failed
    } else if scheme == "about" {
      let page = bytes.dropFirst(6).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      let name = String(decoding: page, as: UTF8.self).lowercased()
      self = ["", "blank", "srcdoc"].contains(name) ? .none : .browser
    } else if Self.browserSchemes.contains(scheme) || scheme.hasPrefix("chrome-") {
      self = .browser
    } else {
      self = .page
    }
  }
}

extension Observation {
  /// Returns the page with an address, and the page that it displays, such as
  /// `http://localhost/pay` for `view-source:http://localhost/pay`. A mask of either page also
  /// applies to the first.
  static func withSubject(_ url: String) -> [Observation] {
    let prefix = "view-source:"
    let subject =
      url.hasPrefix(prefix)
      ? String(url.dropFirst(prefix.count))
      : AddressKind(url) == .browser
        ? PageAddress(url)?.query.first { $0.name == "url" || $0.name == "u" }?.value : nil
    return [url, subject].compactMap { $0 }.map { Observation(url: $0) }
  }
}
