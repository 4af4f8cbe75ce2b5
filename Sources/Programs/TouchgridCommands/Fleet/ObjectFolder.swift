import Glibc
import LinuxIO
import Storage
import Text
import TouchModel

/// The objects in a folder: of an export for a fleet, of a copy of a bucket, or of a sum.
struct ObjectFolder {
  let path: String
  /// The highest revision of each day of each generation of each kiosk, by day.
  private(set) var days: [Day: [ObjectName]] = [:]
  /// The paths below `in`, relative to `path`, that are not those of objects.
  private(set) var strangers: [String] = []

  /// Lists a folder. Names that begin with a dot are skipped: files that are still being copied
  /// have such names.
  init(_ path: String) throws(Failure) {
    self.path = path
    for kiosk in try names(ObjectName.top) {
      for generation in try names("\(ObjectName.top)/\(kiosk)") {
        for day in try names("\(ObjectName.top)/\(kiosk)/\(generation)") {
          try add(kiosk, generation, day)
        }
      }
    }
  }

  private mutating func add(_ kiosk: String, _ generation: String, _ day: String) throws(Failure) {
    let folder = "\(ObjectName.top)/\(kiosk)/\(generation)/\(day)"
    var highest: ObjectName?
    for file in try names(folder) {
      guard
        let name = ObjectName(kiosk: kiosk, generation: generation, day: day, file: file)
      else {
        strangers.append(folder + "/" + file)
        continue
      }
      if name.revision > highest?.revision ?? 0 { highest = name }
    }
    if let highest { days[highest.day, default: []].append(highest) }
  }

  private mutating func names(_ folder: String) throws(Failure) -> [String] {
    let whole = path + "/" + folder
    do throws(SystemError) {
      return try Folder.names(whole).filter { !$0.hasPrefix(".") }
    } catch {
      guard error.code == ENOTDIR, folder != ObjectName.top else {
        throw Failure("\(whole.printable(limit: 4096)) cannot be listed: \(errorText(error.code))")
      }
      strangers.append(folder)
      return []
    }
  }

  func read(_ name: ObjectName) throws -> DayObject {
    try DayObject(readFile(path + "/" + name.path, limit: DayObject.packedLimit), named: name)
  }
}
