import Glibc

/// Returns the light of a channel of sRGB. Both are 0...1.
public func linear(_ channel: Double) -> Double {
  channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
}

/// Returns a colour in CIE L*a*b* of 1976, with the white point D65. A difference of about 2 is just
/// visible.
/// - Parameter light: The light of red, green and blue, 0...1.
public func lab(_ light: [Double]) -> [Double] {
  let rows = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
  let xyz = rows.map { row in zip(row, light).map(*).reduce(0, +) }
  let f = zip(xyz, [0.9505, 1, 1.089]).map {
    let part = $0 / $1
    return part > 0.008856 ? cbrt(part) : 7.787 * part + 16.0 / 116
  }
  return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
}
