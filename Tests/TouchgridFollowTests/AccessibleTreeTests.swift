import Testing
import TouchModel

@testable import TouchgridFollow

@Suite struct AccessibleTreeTests {
  /// A tree of a window of 800 x 480 points.
  private struct Builder {
    var tree: AccessibleTree

    init(_ toolkit: AccessibleTree.Toolkit = .gtk3) {
      tree = AccessibleTree(
        toolkit: toolkit,
        objects: [
          .init(
            parent: nil, role: AccessibleRole(rawValue: 23), states: .shown,
            place: .init(x: 0, y: 0, width: 800, height: 480))
        ])
    }

    /// Adds an object and returns its index.
    @discardableResult
    mutating func add(
      _ role: AccessibleRole, _ name: String, in parent: Int = 0,
      _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32,
      _ states: AccessibleStates = [.shown, .usable]
    ) -> Int {
      let index = tree.objects.count
      tree.objects[parent].children.append(index)
      tree.objects.append(
        .init(
          parent: parent, role: role, states: states,
          place: .init(x: x, y: y, width: width, height: height), name: name))
      return index
    }

    var names: [String] { tree.controls().items.map { "\($0.role) \($0.label)" } }
  }

  private static let box = AccessibleRole(rawValue: 39)

  @Test func `Shown and usable controls are found in order`() {
    var window = Builder()
    window.add(.pushButton, "Pay", 10, 10, 100, 40)
    window.add(.pushButton, "Disabled", 10, 60, 100, 40, .shown)
    window.add(.pushButton, "Hidden", 10, 110, 100, 40, .usable)
    window.add(.pushButton, "Tiny", 10, 160, 3, 40)
    window.add(Self.box, "Box", 10, 210, 100, 40)
    window.add(.link, "Help", 10, 260, 100, 40)
    #expect(window.names == ["button Pay", "link Help"])
  }

  @Test func `What lies in an object that scrolls is left out`() {
    var window = Builder()
    let list = window.add(Self.box, "", 0, 0, 100, 100)
    window.add(.pushButton, "First", in: list, 0, 0, 100, 60)
    window.add(.pushButton, "Second", in: list, 0, 60, 100, 60)
    let pane = window.add(Self.box, "", 200, 0, 100, 100)
    window.add(.pushButton, "Third", in: pane, 200, 0, 80, 60)
    window.add(.scrollBar, "", in: pane, 290, 0, 10, 100)
    let table = window.add(Self.box, "", 400, 0, 100, 100, [.shown, .usable, .managesDescendants])
    window.add(.pushButton, "Fourth", in: table, 400, 0, 80, 60)
    window.add(.pushButton, "Below", 0, 200, 100, 60)
    #expect(window.names == ["button Below"])
  }

  @Test func `A window whose content does not fit has no controls`() {
    var window = Builder()
    window.add(.pushButton, "Fits", 0, 0, 100, 60)
    window.add(.pushButton, "Outside", 0, 460, 100, 60)
    #expect(window.names.isEmpty)
  }

  @Test func `A control whose middle is covered is left out`() {
    var window = Builder()
    window.add(.pushButton, "Covered", 0, 0, 100, 60)
    let button = window.add(.toggleButton, "Beside", 200, 0, 100, 60)
    window.add(Self.box, "", 0, 0, 150, 100)
    #expect(window.names == ["button Beside"])
    // What is part of a control does not cover it; but an expander contains its content.
    window.add(Self.box, "", in: button, 200, 0, 100, 60)
    #expect(window.names.isEmpty)
  }

  @Test func `What is entered or chosen is no label`() {
    var window = Builder()
    window.add(.comboBox, "Ada Lovelace", 0, 0, 100, 40)
    window.add(.spinButton, "Ada Lovelace", 0, 50, 100, 40)
    window.add(.text, "Name", 0, 100, 100, 40, [.shown, .usable, .editable])
    window.add(.text, "Only to read", 0, 150, 100, 40)
    window.add(.passwordText, "PIN", 0, 200, 100, 40)
    window.add(.entry, "Your PIN", 0, 250, 100, 40, [.shown, .usable, .editable])
    #expect(window.names == ["list ", "field ", "field Name"])
    #expect(window.tree.controls().secrets.map(\.y) == [200, 250])
  }

  @Test func `A keypad is a secret`() {
    var window = Builder()
    let outer = window.add(Self.box, "", 100, 100, 300, 300)
    let pad = window.add(Self.box, "", in: outer, 100, 100, 120, 160)
    for key in 0..<10 {
      let (x, y) = (Int32(100 + 40 * (key % 3)), Int32(100 + 40 * (key / 3)))
      window.add(.pushButton, "\(key)", in: pad, x, y, 40, 40)
    }
    window.add(.pushButton, "Enter", in: outer, 300, 100, 40, 40)
    #expect(window.names == ["button Enter"])
    #expect(window.tree.controls().secrets.map(\.width) == [120])
  }

  @Test func `A tab of GTK 3 has only the place of its label`() {
    for (toolkit, names) in [
      (AccessibleTree.Toolkit.gtk3, ["button On page"]),
      (.qt6, ["tab First", "button On page"]),
    ] {
      var window = Builder(toolkit)
      let book = window.add(Self.box, "", 0, 0, 400, 300)
      let tab = window.add(.pageTab, "First", in: book, 10, 5, 80, 20)
      window.add(.pushButton, "On page", in: tab, 0, 40, 300, 200)
      #expect(window.names == names)
    }
  }

  @Test func `Numbers that cannot be a place do no harm`() {
    var window = Builder()
    for number in [Int32.min, -1, 0, 4, .max] {
      window.add(.pushButton, "", number, number, .max, number)
      window.add(.pushButton, "", .min, .max, number, 40)
    }
    _ = window.tree.controls()
  }
}
