/// Returns the bytes in Base64 with padding (RFC 4648, section 4).
public func base64(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let part = bytes[start..<min(start + 3, bytes.count)]
    let bits = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
    for place in 0..<4 {
      let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 0x3f)]
      text.append(place <= part.count ? digit : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}

/// Returns the bytes of a text in Base64 with padding; nil if it is not such a text.
public func bytes(ofBase64 text: String) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 4) else { return nil }
  let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(digits.count / 4 * 3)
  var (bits, count): (UInt32, Int) = (0, 0)
  for digit in digits.dropLast(padding) {
    guard let value = values[Int(digit)] else { return nil }
    bits = bits << 6 | UInt32(value)
    count += 6
    guard count >= 8 else { continue }
    count -= 8
    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    bits &= 1 << UInt32(count) - 1
  }
  return bits == 0 ? bytes : nil
}

/// The value of each digit, by its byte.
private let values: [UInt8?] = {
  var values = [UInt8?](repeating: nil, count: 256)
  for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
  return values
}()

private let alphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
