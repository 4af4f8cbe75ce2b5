internal import CCairo
internal import GridFormats
internal import TouchModel

/// Drawings as the pages of one PDF. The document's keywords are the metadata: a JSON array with an object
/// for each page.
enum PDFFile {
  /// A CSS pixel, as browsers print them.
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
