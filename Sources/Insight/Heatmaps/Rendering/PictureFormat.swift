/// The file formats for pictures.
public enum PictureFormat: String, CaseIterable, Sendable {
  case png, svg, pdf

  /// Returns the bytes of a file.
  /// - Parameter drawings: the pages of a PDF. The other formats hold exactly one drawing.
  /// - Throws: an error if the format cannot hold that many, or if cairo fails.
  public func bytes(_ drawings: [Drawing]) throws(PictureError) -> [UInt8] {
    if self == .pdf { return try PDFFile.bytes(drawings) }
    guard let drawing = drawings.first, drawings.count == 1 else {
      throw PictureError("a .\(rawValue) file holds one picture, not \(drawings.count)")
    }
    return self == .png ? try PNGFile.bytes(drawing) : try SVGFile.bytes(drawing)
  }
}
