public import Text
public import TouchModel

/// A map of a display's blocks with its title, legend and notes, before layout. Pictures of counts
/// and of differences share it.
public struct MapSheet: Sendable {
  /// A block to draw.
  public struct Cell: Hashable, Sendable {
    public var block: Block
    public var ink: Ink
    /// The sides of the drawn rectangle, which is centred in the block, relative to those of the
    /// block: above 0, at most 1.
    public var part: Double
    /// The tooltip.
    public var title: String
    public init(_ block: Block, _ ink: Ink, part: Double = 1, title: String) {
      self.block = block
      self.ink = ink
      self.part = part
      self.title = title
    }
  }

  /// A legend entry for a kind of block that the colour bar does not explain.
  public struct Sample: Hashable, Sendable {
    public var ink: Ink
    public var part: Double
    public var text: String
    public init(_ ink: Ink, part: Double = 1, text: String) {
      self.ink = ink
      self.part = part
      self.text = text
    }
  }

  /// A frame around adjacent blocks, drawn above all else.
  public struct Frame: Hashable, Sendable {
    /// Opposite corners, in any order.
    public var from: Block
    public var to: Block
    public var ink: Ink
    /// The tooltip.
    public var title: String
    public init(from: Block, to: Block, ink: Ink, title: String) {
      self.from = from
      self.to = to
      self.ink = ink
      self.title = title
    }
  }

  public var geometry: DisplayGeometry
  /// The title. This and all other texts are printable.
  public var title: String
  /// Lines below the title; long ones are wrapped.
  public var captions: [String] = []
  public var cells: [Cell] = []
  /// The blocks whose common outline is drawn as the contour; nil for the blocks of all cells.
  public var contoured: Set<Block>?
  /// The ink of the contour; nil for a contour that is dark in light blocks and light in dark ones.
  public var contour: Ink?
  /// An image to draw instead of the cells. In masked blocks, neither the image nor the cells are
  /// drawn. The cells still give the tooltips.
  public var smoothed: Pixels?
  /// The blocks that a mask reaches into. They are hatched.
  public var masked: Set<Block> = []
  /// Whether to draw thin lines between all blocks.
  public var hasGridLines = false
  public var frames: [Frame] = []
  /// The width of the map divided by its height, if its blocks are not squares; nil for the shape of
  /// the display. With a background it is ignored.
  public var shape: Double?
  /// The colour bar in the legend; nil for none.
  public var bar: ColourBar?
  /// Further legend entries below the bar.
  public var samples: [Sample] = []
  /// Notes below the legend on how to read the map.
  public var notes: [String] = []
  /// A screenshot of the screen, on which the blocks are drawn. It must fit (`Background.fit`).
  public var background: Background?
  /// Whether to draw the map alone, without texts, on a transparent background.
  public var isBare = false
  /// Pixels of the picture per point of the display; nil to choose by the size of the display. With
  /// a background it is ignored, because the map then has the size of the background.
  public var pixelsPerPoint: Double?
  /// Members of the metadata. `drawing` adds the place of the map in the picture.
  public var metadata: [JSONValue.Member] = []

  public init(geometry: DisplayGeometry, title: String) {
    self.geometry = geometry
    self.title = title
  }

  /// Lays out the picture.
  /// - Throws: an error if the picture would be too large, or if cairo fails.
  public func drawing() throws(PictureError) -> Drawing {
    let size = try MapSize(self)
    guard !isBare else {
      let area = Box(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
      var drawing = try Drawing(
        width: size.width, height: size.height, title: title, metadata: metadata(area))
      drawing.shapes = map(area, textSize: size.textSize)
      return drawing
    }
    return try page(size)
  }

  func metadata(_ area: Box) -> JSONValue {
    let place: JSONValue = [
      "x": .real(area.x), "y": .real(area.y), "width": .real(area.width),
      "height": .real(area.height),
    ]
    return .object(metadata + [JSONValue.Member(name: "map", value: place)])
  }
}
