internal import CCairo
internal import Text
internal import TouchModel

/// Writes drawings as the pages of one PDF. The keywords of the document are the metadata: a JSON
/// array with one object for each page.
enum PDFFile {
  /// PDF points per unit of a drawing. A unit is a CSS pixel, which browsers print as 1/96 of an
  /// inch.
  private static let pointsPerUnit = 0.75

  static func bytes(_ drawings: [Drawing]) throws(PictureError) -> [UInt8] {
    let surface = try Surface.pdf()
    surface.setMetadata(CAIRO_PDF_METADATA_CREATOR, "Touchgrid \(touchgridVersion)")
    surface.setMetadata(
      CAIRO_PDF_METADATA_TITLE, drawings.count == 1 ? drawings[0].title : "Touch heatmaps")
    surface.setMetadata(
      CAIRO_PDF_METADATA_SUBJECT, drawings.map(\.title).joined(separator: "; "))
    surface.setMetadata(
      CAIRO_PDF_METADATA_KEYWORDS, JSONValue.array(drawings.map(\.metadata)).text)
    for drawing in drawings {
      surface.setPage(
        width: Double(drawing.width) * pointsPerUnit, height: Double(drawing.height) * pointsPerUnit
      )
      let canvas = try Canvas(surface)
      canvas.scale(pointsPerUnit)
      try canvas.draw(drawing.shapes)
      canvas.showPage()
      try canvas.check()
    }
    return try surface.finishedBytes()
  }
}
