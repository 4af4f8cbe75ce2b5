public import ConfigurationFiles
internal import Text
import TouchModel

extension Configuration {
  /// Reads a configuration from TOML text. Keys that are absent keep their defaults.
  /// - Parameters:
  ///   - text: at most 1 MiB.
  ///   - file: the file name that errors show.
  /// - Throws: all errors in the text, or only the syntax errors if there are any.
  public init(text: String, file: String) throws(ConfigurationError) {
    var document = try ConfigurationDocument<Section>(text: text, file: file)
    self.init()
    readSections(&document)
    readDeviceRules(&document)
    readDisplays(&document)
    readMasks(&document)
    readCovers(&document)
    readControls(&document)
    readFunnels(&document)
    guard document.problems.isEmpty else { throw ConfigurationError(document.problems) }
  }

  // MARK: Tables that occur once

  private mutating func readSections(_ document: inout ConfigurationDocument<Section>) {
    for var reader in document.readers(.store) {
      store.read(&reader)
      document.add(reader)
    }
    for var reader in document.readers(.session) {
      session.read(&reader)
      document.add(reader)
    }
    for var reader in document.readers(.grid) {
      grid.read(&reader)
      document.add(reader)
    }
    for var reader in document.readers(.devices) {
      devices.seat = reader.name("seat", such: "seat0") ?? devices.seat
      devices.ghosts = reader.boolean("ghosts") ?? devices.ghosts
      devices.edgeGrips = reader.boolean("edge_grips") ?? devices.edgeGrips
      devices.health = reader.boolean("health")
      document.add(reader)
    }
    for var reader in document.readers(.socket) {
      socket.read(&reader)
      document.add(reader)
    }
    for var reader in document.readers(.roles) {
      roles.read(&reader)
      document.add(reader)
    }
    for var reader in document.readers(.log) {
      log.level = reader.choice("level") ?? log.level
      document.add(reader)
    }
  }

  // MARK: Tables that may be repeated

  private mutating func readDeviceRules(_ document: inout ConfigurationDocument<Section>) {
    var lines: [String: Int] = [:]
    for var reader in document.readers(.device) {
      if let rule = DeviceRule(&reader) {
        if let first = lines[rule.match] {
          reader.report(
            "match", "match \(rule.match.quoted) is already in line \(first); merge the two tables")
        } else {
          lines[rule.match] = reader.line(of: "match")
          deviceRules.append(rule)
        }
      }
      document.add(reader)
    }
  }

  private mutating func readDisplays(_ document: inout ConfigurationDocument<Section>) {
    var lines: [String: Int] = [:]
    for var reader in document.readers(.display) {
      if let display = Display(&reader, blockSize: grid.blockSize) {
        if let first = lines[display.name] {
          reader.report(
            "name",
            "display \(display.name.quoted) is already in line \(first); merge the two tables")
        } else {
          lines[display.name] = reader.line(of: "name")
          displays.append(display)
        }
      }
      document.add(reader)
    }
  }

  private mutating func readMasks(_ document: inout ConfigurationDocument<Section>) {
    var lines: [Mask: Int] = [:]
    for var reader in document.readers(.mask) {
      if let mask = Mask(&reader) {
        if let first = lines[mask] {
          reader.report("screen", "the same mask is already in line \(first); remove one")
        } else if masks.count == Masks.shareLimit {
          reader.report(
            "screen", "there are more than \(Masks.shareLimit) masks; mask whole screens instead")
        } else {
          lines[mask] = reader.line(of: "screen")
          masks.append(mask)
        }
      }
      document.add(reader)
    }
  }

  private mutating func readCovers(_ document: inout ConfigurationDocument<Section>) {
    for var reader in document.readers(.cover) {
      if let cover = Cover(&reader) {
        if covers.contains(cover) {
          reader.report("x", "there is the same cover already; remove one")
        } else if covers.count == Cover.limit {
          reader.report("x", "there are more than \(Cover.limit) covers; replace the touchscreen")
        } else {
          covers.append(cover)
        }
      }
      document.add(reader)
    }
  }
}
