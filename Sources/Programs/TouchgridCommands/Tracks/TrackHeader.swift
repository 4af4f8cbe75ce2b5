import TouchFeedback
import TouchModel
import TouchgridAPI

/// The first line of a track.
struct TrackHeader: Codable, Equatable {
  static let format = "touchgrid track"

  var format = TrackHeader.format
  var version = Track.version
  /// The version of touchgrid that wrote it.
  var touchgrid: String
  /// The time of day when the track started, in ms since 1970-01-01 00:00 UTC.
  var startedAtMs: Int64
  /// The same moment on `CLOCK_MONOTONIC`, in µs.
  var startedAtUs: Int64
  var displays: [API.Display]
  var masks: [API.Mask]
}

/// The members that a reader must check before the rest of the line.
struct TrackFormat: Decodable {
  var format: String
  var version: Int
}
