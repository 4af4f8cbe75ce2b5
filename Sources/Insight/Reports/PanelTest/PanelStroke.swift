package import TouchModel

/// A touch on a tested panel, from touch-down to touch-up.
package struct PanelStroke: Hashable, Sendable {
  /// A report of the touch. Positions are in raw units.
  package struct Sample: Hashable, Sendable {
    package var time: Timestamp
    package var x: Int32
    package var y: Int32

    package init(time: Timestamp, x: Int32, y: Int32) {
      self.time = time
      self.x = x
      self.y = y
    }
  }

  /// The reports in which the touch was down; at least one.
  package var samples: [Sample]
  /// The time of the touch-up, or of the last report while the touch is down.
  package var end: Timestamp

  package init(samples: [Sample], end: Timestamp) {
    self.samples = samples
    self.end = end
  }

  var start: Timestamp { samples.first?.time ?? end }
}

/// Gathers the touches of a panel.
package struct PanelStrokeRecorder: Sendable {
  /// The maximum number of reports that are kept: those of a finger that draws for 20 s at 1 kHz.
  private static let sampleLimit = 20_000

  /// The touches in the order in which they began.
  package private(set) var strokes: [PanelStroke] = []
  private var live: [TouchID: Int] = [:]
  private var samples = 0

  package init() {}

  /// The number of touches that are down.
  package var touchesDown: Int { live.count }

  /// Adds a frame. Touches that were down before the recorder began are left out.
  /// - Returns: whether a report was added.
  @discardableResult
  package mutating func add(_ updates: [TouchUpdate], at time: Timestamp) -> Bool {
    let before = samples
    for update in updates {
      let sample = PanelStroke.Sample(time: time, x: update.x, y: update.y)
      switch update.phase {
      case .began:
        guard !update.preexisting, samples < Self.sampleLimit else { continue }
        live[update.touch] = strokes.count
        strokes.append(PanelStroke(samples: [sample], end: time))
      case .moved, .stationary:
        guard let index = live[update.touch], samples < Self.sampleLimit else { continue }
        strokes[index].samples.append(sample)
        strokes[index].end = time
      case .ended, .cancelled:
        guard let index = live.removeValue(forKey: update.touch) else { continue }
        strokes[index].end = time
      }
      samples += 1
    }
    return samples > before
  }
}

/// The sensing area of a panel, in its raw axes.
package struct PanelSurface: Hashable, Sendable {
  package enum SizeSource: String, Sendable {
    /// The user measured it.
    case option
    /// The driver reports the units per mm.
    case kernel
    /// The monitor reports the size of its picture.
    case monitor
  }

  package var x: ClosedRange<Int32>
  package var y: ClosedRange<Int32>
  /// The length of each axis, in mm.
  package var width: Double
  package var height: Double
  package var sizeSource: SizeSource

  /// - Returns: nil for an empty range, or a size that no panel has.
  package init?(
    x: ClosedRange<Int32>, y: ClosedRange<Int32>, width: Double, height: Double,
    sizeSource: SizeSource
  ) {
    guard x.lowerBound < x.upperBound, y.lowerBound < y.upperBound,
      PanelSize(width: width, height: height) != nil
    else { return nil }
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.sizeSource = sizeSource
  }

  /// Creates the area from the resolutions of the axes, in units per mm.
  /// - Returns: nil if the driver does not know them, or if they are not credible.
  package init?(x: ClosedRange<Int32>, y: ClosedRange<Int32>, resolutionOf panel: ContactProtocol) {
    guard panel.x.resolution > 0, panel.y.resolution > 0 else { return nil }
    func length(_ range: ClosedRange<Int32>, _ axis: AxisInfo) -> Double {
      (Double(range.upperBound) - Double(range.lowerBound)) / Double(axis.resolution)
    }
    self.init(
      x: x, y: y, width: length(x, panel.x), height: length(y, panel.y), sizeSource: .kernel)
  }

  /// Returns a position in mm from the least raw values.
  func place(_ sample: PanelStroke.Sample) -> (x: Double, y: Double) {
    func part(_ value: Int32, _ range: ClosedRange<Int32>) -> Double {
      (Double(value) - Double(range.lowerBound))
        / (Double(range.upperBound) - Double(range.lowerBound))
    }
    return (part(sample.x, x) * width, part(sample.y, y) * height)
  }
}
