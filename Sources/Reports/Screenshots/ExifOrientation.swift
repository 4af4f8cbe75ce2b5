/// How EXIF data ask that a picture be turned: 1 (not at all) to 8. TIFF 6.0: header, first directory, tag 274.
/// - Returns: nil where they do not say, or are no EXIF data: programs then show the picture as it is, too.
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

/// - Throws: `.turned` where a picture with these EXIF data is not as it is to be seen.
func requireUpright(_ exif: ArraySlice<UInt8>) throws(ScreenshotError) {
  if let orientation = exifOrientation(exif), (2...8).contains(orientation) { throw .turned }
}
