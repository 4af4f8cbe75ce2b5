import Heatmaps
import Storage
import Text
import TouchModel

/// Converts the options of the verb into those of a picture.
extension Heatmap {
  var options: HeatmapOptions {
    var options = HeatmapOptions()
    options.value = value
    options.colours = colour.colourMap
    options.scale = colour.kind
    options.limit = colour.max
    options.smoothing = smooth
    options.hasGridLines = picture.cells
    options.isBare = picture.bare
    options.pixelsPerPoint = picture.scale
    return options
  }

  /// Returns the shown sessions as text.
  func words(_ span: TimeSpan) -> String {
    if live { return "running" }
    return session.map { "session \($0)" } ?? choice.filter.words(in: span)
  }

  /// Returns the shown sessions, for programs.
  func spanJSON(_ span: TimeSpan) -> JSONValue {
    if live { return ["live": .bool(true)] }
    if let session { return ["session": .integer(session)] }
    return choice.filter.json(in: span)
  }

  func source(_ span: TimeSpan) -> HeatmapSource {
    let words = live ? "the running session" : words(span)
    return HeatmapSource(
      words: words, metadata: [JSONValue.Member(name: "of", value: spanJSON(span))])
  }
}
