public import GridFormats
public import TouchModel

/// A map of a display's blocks with its title, legend and notes, before it is laid out: what pictures of
/// counts and of differences have in common.
public struct MapSheet: Sendable {
  /// A block that is drawn.
  public struct Cell: Hashable, Sendable {
    public var block: Block
    public var ink: Ink
    /// How much of its side is drawn, around its middle: above 0, up to 1.
    public var part: Double
    /// What is to be read who points at it.
    public var title: String
    public init(_ block: Block, _ ink: Ink, part: Double = 1, title: String) {
      self.block = block
      self.ink = ink
      self.part = part
      self.title = title
    }
  }

  /// A look of blocks that the bar does not show, and what it means.
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

  public var geometry: DisplayGeometry
  /// Printable, like all texts.
  public var title: String
  /// Below the title, each wrapped where it is too long.
  public var captions: [String] = []
  public var cells: [Cell] = []
  /// The blocks that a line goes around; nil: all cells.
  public var contoured: Set<Block>?
  /// That line's; nil: dark in light blocks, light in dark ones.
  public var contour: Ink?
  /// Drawn instead of the cells' inks, everywhere but in masked blocks; the cells still bear their
  /// titles.
  public var smoothed: Pixels?
  /// Blocks that a mask reaches into: hatched.
  public var masked: Set<Block> = []
  /// Thin lines between all blocks.
  public var hasGridLines = false
  /// nil where there is nothing to explain.
  public var bar: ColourBar?
  /// Below the bar, further looks.
  public var samples: [Sample] = []
  /// How to read it, below them.
  public var notes: [String] = []
  /// The screen itself, below the blocks; it must fit (`Background.fit`).
  public var background: Background?
  /// The map alone, without words around it, on transparent ground.
  public var isBare = false
  /// Pixels of the picture for a point of the display; nil: those of the background, else as is natural.
  public var pixelsPerPoint: Double?
  /// Members of the metadata; the place of the map in the picture is added.
  public var metadata: [JSONValue.Member] = []

  public init(geometry: DisplayGeometry, title: String) {
    self.geometry = geometry
    self.title = title
  }

  /// - Throws: where the picture would be too large, or cairo fails.
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
