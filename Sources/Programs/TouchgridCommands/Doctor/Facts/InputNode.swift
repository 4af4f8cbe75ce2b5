import TouchModel

/// An event device as sysfs and udev's database describe it, read without libudev.
struct InputNode: Equatable {
  /// Such as `/dev/input/event3`.
  var node: String
  /// The name that the device gives itself. It is untrusted text.
  var name: String
  /// Whether udev set `ID_INPUT_TOUCHSCREEN`.
  var isTouchscreen: Bool
  /// Whether the device reports positions of contacts, and has `INPUT_PROP_DIRECT`: its positions
  /// lie on a display.
  var looksLikeTouchscreen: Bool
  /// nil if the node cannot be examined.
  var access: FileAccess?

  /// Returns all event devices.
  /// - Parameter root: the folder that contains `sys`, `run` and `dev`; `""` for this machine.
  static func all(root: String = "") -> [InputNode] {
    let folder = "\(root)/sys/class/input"
    return Files.names(in: folder)
      .filter { $0.hasPrefix("event") && $0.dropFirst(5).allSatisfy(\.isNumber) }
      .map { InputNode("\(folder)/\($0)", $0, root: root) }
      .sorted { ($0.node.utf8.count, $0.node) < ($1.node.utf8.count, $1.node) }
  }

  /// Returns whether udev's database exists. Containers usually have none.
  static func hasUdev(root: String = "") -> Bool { Files.exists("\(root)/run/udev/data") }

  private init(_ path: String, _ event: String, root: String) {
    func line(_ name: String) -> String {
      String((Files.text("\(path)/\(name)") ?? "").prefix { $0 != "\n" })
    }
    node = "/dev/input/\(event)"
    name = line("device/name")
    let properties = Files.text("\(root)/run/udev/data/c\(line("dev"))") ?? ""
    isTouchscreen = properties.split(separator: "\n").contains("E:ID_INPUT_TOUCHSCREEN=1")
    let axes = Self.bits(line("device/capabilities/abs"))
    let isDirect = Self.bits(line("device/properties")).contains(Int(InputProperty.direct))
    let isMultitouch =
      axes.contains(Int(AbsCode.mtPositionX)) && axes.contains(Int(AbsCode.mtPositionY))
    looksLikeTouchscreen = isDirect && isMultitouch
    access = Files.access(root + node)
  }

  /// Returns the numbers of the bits that are set in a bit mask of sysfs. The text has words of 64
  /// bits in hexadecimal, the highest word first.
  static func bits(_ text: String) -> Set<Int> {
    var numbers: Set<Int> = []
    for (index, word) in text.split(separator: " ").reversed().enumerated() {
      guard let word = UInt64(word, radix: 16), index < 64 else { continue }
      for bit in 0..<64 where word >> UInt64(bit) & 1 == 1 { numbers.insert(index * 64 + bit) }
    }
    return numbers
  }
}

/// `INPUT_PROP_*` (`linux/input-event-codes.h`).
private enum InputProperty {
  static let direct: UInt16 = 1
}
