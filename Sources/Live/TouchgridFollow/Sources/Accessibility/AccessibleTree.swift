internal import TouchModel

/// The accessible objects of a window, as its program describes them. Everything in it may be wrong.
struct AccessibleTree: Equatable {
  /// The maximum number of objects.
  static let sizeLimit = 4096
  /// The maximum depth of an object below the window.
  static let depthLimit = 64
  /// The maximum number of objects that are considered as keypads.
  private static let padLimit = 64

  /// A rectangle in the window, in points of its toolkit.
  struct Place: Equatable {
    var x: Int32
    var y: Int32
    var width: Int32
    var height: Int32

    var isEmpty: Bool { width <= 0 || height <= 0 }
    /// Whether the numbers are possible. GTK gives hidden objects the place (-2^31, -2^31).
    var isPlausible: Bool {
      [x, y, width, height].allSatisfy { (-1_000_000...1_000_000).contains($0) }
    }

    /// Whether this place contains the other one, within one point.
    func contains(_ other: Place) -> Bool {
      other.x >= x - 1 && other.y >= y - 1 && other.x + other.width <= x + width + 1
        && other.y + other.height <= y + height + 1
    }

    func containsMiddle(of other: Place) -> Bool {
      let (across, down) = (2 * other.x + other.width, 2 * other.y + other.height)
      return 2 * x <= across && across < 2 * (x + width) && 2 * y <= down
        && down < 2 * (y + height)
    }
  }

  struct Object: Equatable {
    var parent: Int?
    var role: AccessibleRole
    var states: AccessibleStates
    /// nil if the object has no place.
    var place: Place?
    var children: [Int] = []
    /// The name for screen readers; nil if unknown. Read only for controls.
    var name: String?
    /// The identifier that the developer gave the object.
    var identifier: String?
    /// Whether the object can be activated. Read only for list entries.
    var isActivatable = false
  }

  /// The toolkit of the program.
  enum Toolkit: Equatable { case gtk3, qt6 }

  var toolkit: Toolkit
  /// The objects; the first one is the window.
  var objects: [Object]

  /// Returns the objects from back to front: each object before its children.
  private var order: [Int] {
    var order: [Int] = []
    var stack = [0]
    while let next = stack.popLast() {
      order.append(next)
      stack += objects[next].children.reversed()
    }
    return order
  }

  /// Whether a finger can scroll the children of an object: some lie outside of it, or it has a
  /// scroll bar.
  private func scrolls(_ object: Object) -> Bool {
    if object.states.contains(.managesDescendants) { return true }
    guard let place = object.place, !place.isEmpty, place.isPlausible else { return false }
    return object.children.contains { index in
      let child = objects[index]
      guard let inner = child.place, !inner.isEmpty, inner.isPlausible else { return false }
      return child.role == .scrollBar
        ? child.states.contains(.shown) : !place.contains(inner)
    }
  }

  /// Returns the objects that are visible and outside of scrolling objects.
  private func fixed() -> Set<Int> {
    var fixed: Set<Int> = []
    var scrolling: Set<Int> = []
    for index in order {
      let object = objects[index]
      if let parent = object.parent {
        // In the tree, the tabs contain their pages; on the screen, the pages lie below the tabs.
        var box = parent
        while objects[box].role == .pageTab, let next = objects[box].parent { box = next }
        guard fixed.contains(parent), !scrolling.contains(box) else { continue }
      }
      guard object.states.contains(.shown) else { continue }
      fixed.insert(index)
      if object.role != .pageTab, scrolls(object) { scrolling.insert(index) }
    }
    return fixed
  }

  /// Returns the controls of the window, and its fields for secrets.
  func controls() -> (items: [ObservedControls.Item], secrets: [Rectangle]) {
    guard let window = objects.first?.place else { return ([], []) }
    let order = order
    let fixed = fixed()
    let shown = order.filter { fixed.contains($0) && objects[$0].place?.isPlausible ?? false }
    var items: [ObservedControls.Item] = []
    var secrets: [Rectangle] = []
    let pads = keypads(shown)
    for pad in pads { if let place = clipped(pad, window) { secrets.append(place) } }
    for (position, index) in shown.enumerated() {
      let object = objects[index]
      guard let word = object.controlWord, hasOwnPlace(object), let place = clipped(index, window)
      else { continue }
      if object.isSecret {
        secrets.append(place)
        continue
      }
      guard items.count < ScreenControls.limit, object.states.contains(.usable),
        !pads.contains(where: { isIn($0, index) }),
        !isCovered(index, by: shown[(position + 1)...])
      else { continue }
      items.append(ObservedControls.Item(role: word, label: object.label, rectangle: place))
    }
    return (items, secrets)
  }

  /// Whether the place of a control is the area that reacts to touches. The place of a box or an
  /// expander that can be toggled includes its content. The place of a tab in GTK 3 is only its
  /// label.
  private func hasOwnPlace(_ object: Object) -> Bool {
    switch object.role {
    case .toggleButton, .checkBox: object.children.isEmpty
    case .pageTab: toolkit == .qt6
    default: true
    }
  }

  private func isIn(_ box: Int, _ index: Int) -> Bool {
    var next: Int? = index
    while let current = next {
      if current == box { return true }
      next = objects[current].parent
    }
    return false
  }

  /// Whether an object in front of a control, which is not its child, covers its middle.
  private func isCovered(_ index: Int, by later: ArraySlice<Int>) -> Bool {
    guard let place = objects[index].place else { return true }
    return later.contains { other in
      guard let cover = objects[other].place, !cover.isEmpty else { return false }
      return cover.containsMiddle(of: place) && !isIn(index, other)
    }
  }

  /// Returns the part of an object's place that lies in the window; nil if it is too small to touch.
  private func clipped(_ index: Int, _ window: Place) -> Rectangle? {
    guard let place = objects[index].place, place.isPlausible else { return nil }
    let (x, y) = (max(place.x, 0), max(place.y, 0))
    let width = min(place.x + place.width, window.width) - x
    let height = min(place.y + place.height, window.height) - y
    guard width >= 4, height >= 4 else { return nil }
    return Rectangle(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }

  /// Returns the keypads: the smallest objects that contain at least nine buttons with one digit
  /// each.
  private func keypads(_ shown: [Int]) -> [Int] {
    var keys: [Int: Int] = [:]
    for index in shown where objects[index].isDigit {
      var box = objects[index].parent
      for _ in 0..<4 {
        guard let next = box else { break }
        keys[next, default: 0] += 1
        box = objects[next].parent
      }
    }
    let pads = keys.filter { $0.value >= 9 }.keys.sorted().suffix(Self.padLimit)
    return pads.filter { pad in !pads.contains { $0 != pad && isIn(pad, $0) } }
  }
}

extension AccessibleTree.Object {
  /// The word for the kind of control; nil if the object is not a control.
  var controlWord: String? {
    switch role {
    case .entry, .text: states.contains(.editable) ? "field" : nil
    case .listItem, .tableCell, .treeItem: isActivatable ? "option" : nil
    default: role.controlWord
    }
  }

  /// An identifier or a label, but never a text that people entered or chose: toolkits name a list
  /// after its selected entry.
  var label: String {
    let name = role.isNamedByContent ? nil : name
    return [identifier, name].compactMap { $0 }.first { !$0.isEmpty } ?? ""
  }

  var isSecret: Bool {
    if role == .passwordText { return true }
    guard controlWord == "field" else { return false }
    let text = "\(identifier ?? "") \(name ?? "")".lowercased()
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return words.contains("pin")
      || ["password", "passcode", "cvv", "cvc", "card number", "cardnumber", "card-number", "iban"]
        .contains { text.contains($0) }
  }

  /// Whether the object is a button with one digit.
  var isDigit: Bool {
    guard role == .pushButton || role == .toggleButton, let name else { return false }
    let text = name.filter { !$0.isWhitespace && $0 != "_" && $0 != "&" }
    return text.count == 1 && text.allSatisfy(\.isNumber)
  }
}

/// The role of an accessible object: a number of AT-SPI's `AtspiRole`.
struct AccessibleRole: RawRepresentable, Hashable {
  var rawValue: UInt32

  static let checkBox = AccessibleRole(rawValue: 7)
  static let checkMenuItem = AccessibleRole(rawValue: 8)
  static let comboBox = AccessibleRole(rawValue: 11)
  static let listItem = AccessibleRole(rawValue: 32)
  static let menu = AccessibleRole(rawValue: 33)
  static let menuItem = AccessibleRole(rawValue: 35)
  static let pageTab = AccessibleRole(rawValue: 37)
  static let passwordText = AccessibleRole(rawValue: 40)
  static let pushButton = AccessibleRole(rawValue: 43)
  static let radioButton = AccessibleRole(rawValue: 44)
  static let radioMenuItem = AccessibleRole(rawValue: 45)
  static let scrollBar = AccessibleRole(rawValue: 48)
  static let slider = AccessibleRole(rawValue: 51)
  static let spinButton = AccessibleRole(rawValue: 52)
  static let tableCell = AccessibleRole(rawValue: 56)
  static let text = AccessibleRole(rawValue: 61)
  static let toggleButton = AccessibleRole(rawValue: 62)
  static let entry = AccessibleRole(rawValue: 79)
  /// Pages and documents, which scroll their content.
  static let documentFrame = AccessibleRole(rawValue: 82)
  static let link = AccessibleRole(rawValue: 88)
  static let treeItem = AccessibleRole(rawValue: 91)
  static let documentWeb = AccessibleRole(rawValue: 95)
  static let menuButton = AccessibleRole(rawValue: 129)
  static let toggleSwitch = AccessibleRole(rawValue: 130)

  /// The word for the kind of control, as in `controls.js`; nil if not all objects with the role
  /// are controls.
  var controlWord: String? {
    switch self {
    case .pushButton, .toggleButton, .menuButton: "button"
    case .checkBox: "checkbox"
    case .radioButton: "radio"
    case .menu, .menuItem, .checkMenuItem, .radioMenuItem: "menuitem"
    case .link: "link"
    case .comboBox: "list"
    case .slider: "slider"
    case .spinButton, .passwordText: "field"
    case .pageTab: "tab"
    case .toggleSwitch: "switch"
    default: nil
    }
  }

  /// Whether the object may be a control, so that its name is read.
  var mayBeControl: Bool { controlWord != nil || isText || isListEntry }

  var isText: Bool { self == .text || self == .entry }

  var isListEntry: Bool { [.listItem, .tableCell, .treeItem].contains(self) }

  /// Whether the children of the object are part of it, or lie in a separate window.
  var isLeaf: Bool {
    mayBeControl && !isListEntry && ![.pageTab, .toggleButton, .checkBox].contains(self)
      || [.scrollBar, .documentFrame, .documentWeb].contains(self)
  }

  /// Whether toolkits may name such an object by the entered or selected text.
  var isNamedByContent: Bool { [.comboBox, .spinButton, .passwordText].contains(self) }
}

/// The states of an accessible object: a bit for each of AT-SPI's `AtspiStateType`.
struct AccessibleStates: OptionSet, Equatable {
  var rawValue: UInt64

  static let editable = AccessibleStates(rawValue: 1 << 7)
  static let usable = AccessibleStates(rawValue: 1 << 24)
  static let shown = AccessibleStates(rawValue: 1 << 25 | 1 << 30)
  static let managesDescendants = AccessibleStates(rawValue: 1 << 31)
}
