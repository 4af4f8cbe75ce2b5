/// The kinds of picture that are drawn.
public enum PictureFormat: String, CaseIterable, Sendable {
  case png, svg, pdf

  /// The file's bytes.
  /// - Parameter drawings: a PDF has a page for each; the others hold one.
  /// - Throws: where the format cannot hold so many, or cairo fails.
  public func bytes(_ drawings: [Drawing]) throws(PictureError) -> [UInt8] {
    if self == .pdf { return try PDFFile.bytes(drawings) }
    guard let drawing = drawings.first, drawings.count == 1 else {
      throw PictureError("a file of \(rawValue) holds one picture, not \(drawings.count)")
    }
    return self == .png ? try PNGFile.bytes(drawing) : try SVGFile.bytes(drawing)
  }
}
