internal import Glibc
internal import TouchModel

/// A grid's values smoothed by a Gaussian, for display only. Values that would flow over the
/// display's edge are reflected, so the sum does not change.
struct SmoothedGrid {
  /// The maximum number of samples.
  private static let sampleLimit = 1 << 20
  /// Samples per standard deviation. More would make no visible difference.
  private static let samplesPerDeviation = 6.0

  let columns: Int
  let rows: Int
  /// The samples, row-major, evenly spaced over the display. Each is the value that a whole block
  /// would have at this density.
  let values: [Double]
  /// The highest value after smoothing of a single block that has the value 1, for blocks away from
  /// the edges of the display: above 0, at most 1.
  let peak: Double
  private let blockSize: Double
  /// The size of a sample in points.
  let sampleWidth: Double
  let sampleHeight: Double

  /// Smooths the values.
  /// - Parameters:
  ///   - blocks: the values of the blocks, row-major.
  ///   - deviation: the standard deviation of the Gaussian in points; limited to 0.5...10,000.
  init(_ blocks: [Double], geometry: DisplayGeometry, deviation: Double) {
    let deviation = min(10_000, max(0.5, deviation))
    let size = Double(geometry.blockSize)
    blockSize = size
    let area = geometry.width * geometry.height
    let spacing = max(
      min(size, max(size / 8, deviation / Self.samplesPerDeviation)),
      (area / Double(Self.sampleLimit)).squareRoot())
    let columns = max(1, Int(geometry.width / spacing))
    let rows = max(1, Int(geometry.height / spacing))
    (self.columns, self.rows) = (columns, rows)
    sampleWidth = geometry.width / Double(columns)
    sampleHeight = geometry.height / Double(rows)

    let across = Self.shares(geometry.columns, size, geometry.width, columns)
    let down = Self.shares(geometry.rows, size, geometry.height, rows)
    var spread = Array(repeating: 0.0, count: columns * rows)
    let samplesPerBlock = size * size / (sampleWidth * sampleHeight)
    for row in 0..<geometry.rows {
      for column in 0..<geometry.columns {
        let value = blocks[row * geometry.columns + column] * samplesPerBlock
        guard value > 0 else { continue }
        for (y, height) in down[row] {
          for (x, width) in across[column] { spread[y * columns + x] += value * height * width }
        }
      }
    }
    let (wide, high) = (Self.kernel(deviation / sampleWidth), Self.kernel(deviation / sampleHeight))
    let blurred = Self.turned(Self.blurred(spread, columns, rows, wide), columns, rows)
    values = Self.turned(Self.blurred(blurred, rows, columns, high), rows, columns)
    // The integral of the two-dimensional Gaussian over a block that is centred at its mean.
    let side = erf(size / 2 / (deviation * 2.0.squareRoot()))
    peak = side * side
  }

  /// Returns the samples whose centre lies outside all of these blocks.
  func values(outside blocks: Set<Block>) -> [Double] {
    guard !blocks.isEmpty else { return values }
    return values.indices.filter { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      let (x, y) = ((Double(column) + 0.5) * sampleWidth, (Double(row) + 0.5) * sampleHeight)
      return !blocks.contains(Block(column: Int(x / blockSize), row: Int(y / blockSize)))
    }.map { values[$0] }
  }

  /// For each block along one side of the display, returns the samples that share its count, and
  /// the share of each. The shares of a block add up to 1.
  private static func shares(
    _ blocks: Int, _ size: Double, _ length: Double, _ samples: Int
  ) -> [[(sample: Int, share: Double)]] {
    let spacing = length / Double(samples)
    return (0..<blocks).map { block in
      let start = Double(block) * size
      // If the display's edge cuts a block, the part on the display gets the whole count.
      let end = min(length, start + size)
      let first = min(samples - 1, Int(start / spacing))
      let last = min(samples - 1, Int(end / spacing))
      let overlaps = (first...last).map { sample in
        let left = max(start, Double(sample) * spacing)
        return (sample, max(0, min(end, Double(sample + 1) * spacing) - left))
      }
      let sum = overlaps.reduce(0) { $0 + $1.1 }
      guard sum > 0 else { return [(last, 1)] }
      return overlaps.map { ($0.0, $0.1 / sum) }
    }
  }

  /// Returns one half of a Gaussian kernel: the weights from its centre to a distance of three
  /// standard deviations. Mirrored to the other side, all weights add up to 1.
  /// - Parameter deviation: the standard deviation, in samples.
  private static func kernel(_ deviation: Double) -> [Double] {
    let reach = max(1, Int((3 * deviation).rounded(.up)))
    var half = (0...reach).map { place in
      let part = Double(place) / deviation
      return exp(-0.5 * part * part)
    }
    let sum = 2 * half.reduce(0, +) - half[0]
    for index in half.indices { half[index] /= sum }
    return half
  }

  /// Smooths each row, with reflection at its ends.
  private static func blurred(
    _ values: [Double], _ columns: Int, _ rows: Int, _ kernel: [Double]
  ) -> [Double] {
    // Values beyond an end of the row are reflected back into it (`folded`).
    var result = Array(repeating: 0.0, count: values.count)
    let period = 2 * columns
    func folded(_ place: Int) -> Int {
      let place = ((place % period) + period) % period
      return place < columns ? place : period - 1 - place
    }
    for row in 0..<rows {
      let start = row * columns
      for column in 0..<columns {
        let value = values[start + column]
        guard value > 0 else { continue }
        result[start + column] += value * kernel[0]
        for distance in 1..<kernel.count {
          let part = value * kernel[distance]
          result[start + folded(column + distance)] += part
          result[start + folded(column - distance)] += part
        }
      }
    }
    return result
  }

  private static func turned(_ values: [Double], _ columns: Int, _ rows: Int) -> [Double] {
    var result = Array(repeating: 0.0, count: values.count)
    for row in 0..<rows {
      for column in 0..<columns { result[column * rows + row] = values[row * columns + column] }
    }
    return result
  }
}
