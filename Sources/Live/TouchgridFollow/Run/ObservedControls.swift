internal import TouchModel

/// The controls that a source observes on a display: those of the page or the window that fills it.
struct ObservedControls: Equatable {
  /// A control.
  struct Item: Equatable {
    /// The kind of control, such as `button`. `label` is its identifier or label, never a text that
    /// people entered or chose.
    var role: String
    var label: String
    /// In the units of `width` and `height`, from the left top corner of the display's picture.
    var rectangle: Rectangle
  }

  /// The daemon's name of the display; nil for the only one.
  var display: String?
  /// The address of the page; nil for a window. Controls count only while this page is shown.
  var url: String?
  /// The size of the display's picture, in the units of the source.
  var width: Double
  var height: Double
  /// From back to front.
  var items: [Item]
  /// The time at which they were collected on `CLOCK_MONOTONIC`, in µs.
  var time: Int64
  /// The fields for secrets: fields for passwords and card numbers, and keypads.
  var secrets: [Rectangle]
}

/// The response of a page to a touch of one of its controls.
struct ObservedResponse: Equatable {
  /// The daemon's name of the display; nil for the only one.
  var display: String?
  /// The address of the page when the touch began.
  var url: String
  var item: ObservedControls.Item
  /// The time at which the touch ended on `CLOCK_MONOTONIC`, in µs.
  var ended: Int64
  /// The time from touch-up to a change near the touch, in ms; nil if there was none.
  var milliseconds: Int64?
  /// Whether another page will follow. Unless another response comes first, that page is the
  /// change.
  var leaves = false
}
