internal import TouchModel

/// The controls that a source observes on a display: those of the page or the window that fills it.
struct ObservedControls: Equatable {
  /// A place that people touch.
  struct Item: Equatable {
    /// What kind of control it is, such as `button`; then its identifier or label. Never what people
    /// entered or chose.
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
  /// When they were collected on `CLOCK_MONOTONIC`, in µs.
  var time: Int64
  /// Where secrets are entered: fields for passwords and card numbers, and keypads.
  var secrets: [Rectangle]
}

/// How a page responded to a touch of one of its controls.
struct ObservedResponse: Equatable {
  /// The daemon's name of the display; nil for the only one.
  var display: String?
  /// The address of the page when the touch began.
  var url: String
  /// The control, as it was observed.
  var item: ObservedControls.Item
  /// When the touch ended on `CLOCK_MONOTONIC`, in µs.
  var ended: Int64
  /// The time from then until the page changed near the touch; nil if it did not.
  var milliseconds: Int64?
  /// Whether another page will follow, unless another response comes first. That is the change then.
  var leaves = false
}
