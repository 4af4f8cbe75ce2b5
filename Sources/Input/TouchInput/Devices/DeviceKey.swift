internal import TouchModel

/// Makes a key for a device that stays the same when the device is plugged in again at the same
/// place: vendor, product and place, such as `0eef:0001@pci-0000:00:14.0-usb-0:1:1.0`. The key
/// contains neither the device's name, which may be any text, nor the number of the node, which
/// changes.
enum DeviceKey {
  static func make(_ identifiers: DeviceIdentifiers, _ properties: NodeProperties) -> String {
    let place =
      properties.properties["ID_PATH"] ?? properties.physicalPath
      ?? (properties.isVirtual ? "virtual" : "unknown")
    return "\(identifiers.vendorProduct)@\(safe(place))"
  }

  private static func safe(_ text: String) -> String {
    let safe = text.unicodeScalars.prefix(128).map { scalar in
      let isPlain =
        scalar.isASCII && scalar.properties.isAlphabetic
        || ("0"..."9").contains(scalar) || "-_.:/+".unicodeScalars.contains(scalar)
      return isPlain ? Character(scalar) : "_"
    }
    return String(safe)
  }
}
