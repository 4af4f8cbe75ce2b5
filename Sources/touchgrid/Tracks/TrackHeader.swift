import TouchModel
import TouchTracks
import TouchgridAPI

/// The first line of a track.
struct TrackHeader: Codable, Equatable {
  static let format = "touchgrid track"

  var format = TrackHeader.format
  var version = Track.version
  /// The version of touchgrid that has written it.
  var touchgrid: String
  /// Wall-clock time of the track's start: milliseconds since 1970.
  var startedAtMs: Int64
  /// The same moment on `CLOCK_MONOTONIC`, in microseconds.
  var startedAtUs: Int64
  var displays: [API.Display]
  var masks: [API.Mask]
}

/// What a reader must understand before it looks at anything else.
struct TrackFormat: Decodable {
  var format: String
  var version: Int
}
