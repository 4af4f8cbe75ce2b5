import GridFormats
import HeatmapRendering
import Storage
import TouchModel

/// How the verb's options become a picture.
extension Heatmap {
  var options: HeatmapOptions {
    var options = HeatmapOptions()
    options.value = value
    options.colours = colour.map
    options.scale = colour.kind
    options.limit = colour.max
    options.smoothing = smooth
    options.hasGridLines = picture.cells
    options.isBare = picture.bare
    options.pixelsPerPoint = picture.scale
    return options
  }

  /// Whose touches are shown, in words.
  func words(_ span: TimeSpan) -> String {
    if live { return "running" }
    return session.map { "session \($0)" } ?? span.words
  }

  func source(_ span: TimeSpan) -> HeatmapSource {
    let words = live ? "the session that runs" : words(span)
    return HeatmapSource(
      words: words, metadata: [JSONValue.Member(name: "of", value: spanJSON(span))])
  }
}
