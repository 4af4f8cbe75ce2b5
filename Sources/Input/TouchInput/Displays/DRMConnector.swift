internal import Glibc
public import TouchModel

/// A connected display, as listed by the kernel's graphics drivers (DRM).
public struct DRMConnector: Hashable, Sendable {
  /// The connector's name, such as `HDMI-A-1`. Compositors use the same name.
  public var name: String
  /// The width and height of its preferred mode, in pixels; both are nil if the kernel has not
  /// listed its modes.
  public var width: Int?
  public var height: Int?
  /// The size of its visible area; nil if the monitor does not report a credible one.
  public var panelSize: PanelSize?

  public init(
    name: String, width: Int? = nil, height: Int? = nil, panelSize: PanelSize? = nil
  ) {
    self.name = name
    self.width = width
    self.height = height
    self.panelSize = panelSize
  }

  /// Returns the connected displays, sorted by name. A machine without graphics has none.
  /// - Parameter folder: the folder in which the kernel lists them.
  public static func connected(in folder: String = "/sys/class/drm") -> [DRMConnector] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var connectors: [DRMConnector] = []
    while let entry = unsafe readdir(directory) {
      let file = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      // The file name has the form `card0-HDMI-A-1`.
      guard file.hasPrefix("card"), let dash = file.firstIndex(of: "-"),
        firstLine(of: "\(folder)/\(file)/status") == "connected"
      else { continue }
      var connector = DRMConnector(name: String(file[file.index(after: dash)...]).normalised)
      let mode = firstLine(of: "\(folder)/\(file)/modes")?.split(separator: "x") ?? []
      if mode.count == 2, let width = Int(mode[0]), let height = Int(mode[1].prefix { $0.isNumber })
      {
        connector.width = width
        connector.height = height
      }
      connector.panelSize = EDID(bytes(of: "\(folder)/\(file)/edid", atMost: 128))?.panelSize
      connectors.append(connector)
    }
    return connectors.sorted { $0.name < $1.name }
  }

  private static func bytes(of path: String, atMost count: Int) -> [UInt8] {
    guard let file = unsafe fopen(path, "re") else { return [] }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = unsafe fread(&bytes, 1, count, file)
    return Array(bytes.prefix(length))
  }

  private static func firstLine(of path: String) -> String? {
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard unsafe fgets(&line, Int32(line.count), file) != nil else { return nil }
    let bytes = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(truncatingIfNeeded: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
