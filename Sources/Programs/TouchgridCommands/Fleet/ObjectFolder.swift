import Glibc
import LinuxIO
import Storage
import Text
import TouchModel

/// The objects in the folder of a fleet export, of a copy of a bucket, or of a sum. Links in the
/// folder are not followed.
struct ObjectFolder {
  /// The names of the highest revisions, by day: one for each kiosk and generation.
  private(set) var days: [Day: [ObjectName]] = [:]
  /// The paths below the folder that are not valid for objects.
  private(set) var unrecognised: [String] = []
  private let folder: OpenFolder

  /// Lists a folder. Skips names that begin with a dot: files that are still being copied have such
  /// names.
  init(_ path: String) throws(Failure) {
    do throws(SystemError) {
      folder = try OpenFolder(path)
      let top = try folder.folder(ObjectName.top)
      for kiosk in try Self.names(top) {
        guard let generations = try open(kiosk, in: top, kiosk) else { continue }
        for generation in try Self.names(generations) {
          let path = kiosk + "/" + generation
          guard let days = try open(generation, in: generations, path) else { continue }
          for day in try Self.names(days) {
            guard let revisions = try open(day, in: days, path + "/" + day) else { continue }
            add(try Self.names(revisions), kiosk, generation, day)
          }
        }
      }
    } catch {
      throw Failure(
        "\((path + "/" + ObjectName.top).printable(limit: 4096)) cannot be listed: \(errorText(error.code))"
      )
    }
  }

  private static func names(_ folder: OpenFolder) throws(SystemError) -> [String] {
    try folder.names().filter { !$0.hasPrefix(".") }
  }

  /// - Returns: nil if the name is not that of a folder. The name is then added to `unrecognised`.
  private mutating func open(
    _ name: String, in folder: OpenFolder, _ path: String
  ) throws(SystemError) -> OpenFolder? {
    do throws(SystemError) {
      return try folder.folder(name)
    } catch {
      guard error.code == ENOTDIR || error.code == ELOOP else { throw error }
      unrecognised.append(ObjectName.top + "/" + path)
      return nil
    }
  }

  private mutating func add(
    _ files: [String], _ kiosk: String, _ generation: String, _ day: String
  ) {
    var highest: ObjectName?
    for file in files {
      guard
        let name = ObjectName(kiosk: kiosk, generation: generation, day: day, file: file)
      else {
        unrecognised.append("\(ObjectName.top)/\(kiosk)/\(generation)/\(day)/\(file)")
        continue
      }
      if name.revision > highest?.revision ?? 0 { highest = name }
    }
    if let highest { days[highest.day, default: []].append(highest) }
  }

  /// - Throws: the reason why the object is refused.
  func read(_ name: ObjectName) throws -> DayObject {
    var folder = folder
    let bytes: [UInt8]
    do throws(SystemError) {
      for part in name.folder.split(separator: "/") { folder = try folder.folder(String(part)) }
      bytes = try folder.contents(name.file, limit: DayObject.packedLimit)
    } catch {
      let reason =
        switch error.code {
        case EINVAL, ELOOP: "it is not a regular file"
        case EFBIG: "it is larger than \(DayObject.packedLimit >> 20) MiB"
        default: "it cannot be read: \(errorText(error.code))"
        }
      throw Failure(reason)
    }
    return try DayObject(bytes, named: name)
  }
}
