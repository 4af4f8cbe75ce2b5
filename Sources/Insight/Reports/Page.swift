internal import Heatmaps
internal import Text
internal import TouchModel

/// Writes a report as one self-contained HTML file: it needs no network and no other file.
public enum ReportPage {
  public static func bytes(_ report: Report) -> [UInt8] {
    let style = text(PackageResources.report_css) + text(PackageResources.page_css)
    let script = script(of: modules.map(text))
    // The page may run this script, use this style and show embedded pictures. Everything else is
    // forbidden, including network access.
    let policy =
      "default-src 'none'; script-src '\(hash(script))'; style-src '\(hash(style))'; "
      + "img-src data:; base-uri 'none'; form-action 'none'"
    let parts = [
      "POLICY": policy, "TITLE": escaped(report.title.printable(limit: 500)), "STYLE": style,
      "SCRIPT": script,
      "DATA": data(report.json),
    ]
    return filled(text(PackageResources.report_html), parts)
  }

  /// The data that the page shows, as JSON with a line end.
  public static func json(_ report: Report) -> [UInt8] {
    Array((report.json.text + "\n").utf8)
  }

  /// The page's modules, each after those that it imports. The page in Cockpit loads them as they
  /// are.
  private static let modules = [
    PackageResources.text_js, PackageResources.data_js, PackageResources.numbers_js,
    PackageResources.scale_js, PackageResources.elements_js, PackageResources.regions_js,
    PackageResources.map_js, PackageResources.screen_js, PackageResources.charts_js,
    PackageResources.panels_js, PackageResources.flows_js, PackageResources.comparison_js,
    PackageResources.report_js,
  ]

  /// Joins modules to one script that shows the report. In a module, imports are whole lines, and
  /// `export` is the first word of a line.
  private static func script(of modules: [String]) -> String {
    let lines = modules.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("import ") }
      .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }
    return """
      'use strict';
      \(lines.joined(separator: "\n"))
      showReport(JSON.parse(document.getElementById('touchgrid-data').textContent), document.getElementById('report'), true);

      """
  }

  /// Replaces `{{NAME}}` in a template. Inserted text is not scanned again, even if it contains
  /// `{{`.
  private static func filled(_ template: String, _ parts: [String: String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, piece) in template.split(separator: "{{", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard index > 0, let end = piece.firstRange(of: "}}") else {
        bytes += piece.utf8
        continue
      }
      bytes += (parts[String(piece[..<end.lowerBound])] ?? "").utf8
      bytes += piece[end.upperBound...].utf8
    }
    return bytes
  }

  /// Returns JSON that is safe inside an HTML script element: `</script>` and `<!--` must not
  /// occur. In JSON, `<`, `>` and `&` occur only in strings, so they can be escaped.
  private static func data(_ value: JSONValue) -> String {
    var bytes: [UInt8] = []
    for byte in value.text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): bytes += "\\u003c".utf8
      case UInt8(ascii: ">"): bytes += "\\u003e".utf8
      case UInt8(ascii: "&"): bytes += "\\u0026".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + base64(sha256(Array(text.utf8)))
  }

  private static func text(_ resource: [UInt8]) -> String {
    String(decoding: resource, as: UTF8.self)
  }
}
