internal import Heatmaps

/// Fuzzes a picture file: a screenshot for the report, or one below a map.
func fuzzPicture(_ bytes: [UInt8]) {
  do throws(ScreenshotError) {
    let screenshot = try Screenshot(bytes)
    let again = try Screenshot(screenshot.bytes)
    must(again == screenshot, "a stripped file is valid, and stripping it again changes nothing")
    // Skip large pictures: decoding takes long, and the fuzzer tries a million inputs.
    guard screenshot.width * screenshot.height <= 1 << 16 else { return }
    let pixels = try screenshot.pixels()
    must(
      pixels.width == screenshot.width && pixels.height == screenshot.height,
      "a picture has the size of its header")
    must(pixels.values.allSatisfy(isPremultiplied), "no colour is brighter than its alpha")
  } catch {
    must(!error.description.isEmpty, "an error has words")
  }
}

private func isPremultiplied(_ value: UInt32) -> Bool {
  [16, 8, 0].allSatisfy { value >> $0 & 255 <= value >> 24 }
}
