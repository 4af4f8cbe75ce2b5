/// Returns the orientation in EXIF data: tag 274 of the first directory after the header (TIFF
/// 6.0). Valid values are 1 (upright) to 8; other values are returned, too.
/// - Returns: nil if there is none, or if the data are not EXIF. Viewers then do not rotate the
///   picture.
func exifOrientation(_ data: ArraySlice<UInt8>) -> Int? {
  let prefix = Array("Exif\0\0".utf8)
  let tiff = FileBytes(Array(data.starts(with: prefix) ? data.dropFirst(prefix.count) : data))
  do throws(ScreenshotError) {
    let order = try tiff.text(0, 2)
    guard order == "II" || order == "MM" else { return nil }
    func number(_ start: Int, _ length: Int) throws(ScreenshotError) -> Int {
      try order == "II" ? tiff.little(start, length) : tiff.big(start, length)
    }
    let directory = try number(4, 4)
    for entry in 0..<(try number(directory, 2)) {
      let start = directory + 2 + 12 * entry
      if try number(start, 2) == 274 { return try number(start + 8, 2) }
    }
    return nil
  } catch {
    return nil
  }
}

/// - Throws: `.turned` if the EXIF data tell viewers to rotate or mirror the picture.
func requireUpright(_ exif: ArraySlice<UInt8>) throws(ScreenshotError) {
  if let orientation = exifOrientation(exif), (2...8).contains(orientation) { throw .turned }
}
