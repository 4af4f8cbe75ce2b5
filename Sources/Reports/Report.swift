public import GridFormats

/// What a report is made of.
public struct Report: Sendable {
  /// Each screen, display, geometry and layer, over all of the span.
  public var grids: [SummedGrid]

  public init(grids: [SummedGrid]) { self.grids = grids }
}
