internal import LinuxIO

/// Reads the accessible objects of one window. It never blocks: the replies arrive through the
/// event loop.
final class WindowReader {
  /// The reason why the controls of a window are unknown.
  enum Refusal: Error, Equatable {
    /// No program on the accessibility bus has this window.
    case notFound
    /// Several windows on the bus match.
    case ambiguous
    case noAnswer
    /// The window does not begin at the top left corner of its own coordinates.
    case offset
    case toolkit(String)
    case quick
    case tooLarge
    /// An object disappeared while the objects were read.
    case changed
  }

  struct Found {
    var program: String
    var tree: AccessibleTree
  }

  private struct Candidate {
    var program: AccessibleReference
    var window: AccessibleReference
    var name: String?
    var states: AccessibleStates?
    var place: AccessibleTree.Place?
  }

  /// The timeouts for the programs, in ms.
  struct Patience {
    /// For finding the window among those of all programs. Programs that do not reply are left out.
    var search = 700
    /// For reading the objects.
    var read = 3000
  }

  /// The maximum number of programs, and of windows of a program.
  private static let limit = 64

  private let loop: Loop
  private let calls: AccessibilityCalls
  private let title: String
  private let patience: Patience
  private let body: (Result<Found, Refusal>) -> Void
  private var timer: Loop.Timer?
  private var isOver = false
  private var candidates: [Candidate] = []
  /// The number of replies that are missing.
  private var missing = 0
  private var references: [AccessibleReference] = []
  private var tree = AccessibleTree(toolkit: .gtk3, objects: [])
  /// The number of characters in each field, by object.
  private var textLengths: [Int: Int] = [:]

  /// - Parameters:
  ///   - title: The title of the window.
  ///   - body: Called once with the result, unless the reader is released before.
  init(
    loop: Loop, bus: DBusConnection, title: String, patience: Patience = Patience(),
    _ body: @escaping (Result<Found, Refusal>) -> Void
  ) {
    self.loop = loop
    self.title = title
    self.patience = patience
    self.body = body
    calls = AccessibilityCalls(bus: bus)
    timer = loop.after(milliseconds: patience.search) { [unowned self] in choose() }
    search()
  }

  /// The program whose window is being read; nil until the window is found.
  var program: String? { references.first?.program }

  private func finish(_ result: Result<Found, Refusal>) {
    guard !isOver else { return }
    isOver = true
    timer = nil
    // A program that does not reply must not delay the next reader.
    calls.bus.forgetCalls()
    body(result)
  }

  /// Returns a closure that handles a reply, and calls `next` after the last reply.
  private func expect<Value>(
    _ next: @escaping (WindowReader) -> Void,
    _ body: @escaping (WindowReader, Value?) -> Void
  ) -> (Value?) -> Void {
    missing += 1
    return { [weak self] value in
      guard let self, !isOver else { return }
      missing -= 1
      body(self, value)
      if missing == 0, !isOver { next(self) }
    }
  }

  // MARK: - The window

  private func search() {
    let next: (WindowReader) -> Void = { $0.choose() }
    calls.children(
      of: .desktop, limit: Self.limit,
      expect(next) { reader, programs in
        for program in programs ?? [] where program.isValid {
          reader.calls.children(
            of: program, limit: Self.limit,
            reader.expect(next) { reader, windows in
              for window in windows ?? [] where window.program == program.program {
                reader.add(window, of: program, next)
              }
            })
        }
      })
  }

  private func add(
    _ window: AccessibleReference, of program: AccessibleReference,
    _ next: @escaping (WindowReader) -> Void
  ) {
    let index = candidates.count
    candidates.append(Candidate(program: program, window: window))
    calls.text("Name", on: window, expect(next) { $0.candidates[index].name = $1 })
    calls.states(of: window, expect(next) { $0.candidates[index].states = $1 })
    calls.place(of: window, expect(next) { $0.candidates[index].place = $1 })
  }

  /// Whether a window with this name has the title. Qt may append the name of the program to the
  /// title.
  private func fits(_ name: String) -> Bool {
    name == title
      || !name.isEmpty && [" \u{2014} ", " - "].contains { title.hasPrefix(name + $0) }
  }

  private func choose() {
    let hasSilent = missing > 0
    calls.bus.forgetCalls()
    missing = 0
    let found = candidates.filter {
      fits($0.name ?? "") && $0.states?.contains(.shown) ?? false && !($0.place?.isEmpty ?? true)
    }
    guard let only = found.first, let place = only.place else {
      return finish(.failure(hasSilent ? .noAnswer : .notFound))
    }
    // Without a keyboard, a window of GTK 3 is not active, so the state cannot decide.
    guard found.count == 1 else { return finish(.failure(.ambiguous)) }
    guard abs(Int(place.x)) <= 1, abs(Int(place.y)) <= 1, place.isPlausible else {
      return finish(.failure(.offset))
    }
    timer = loop.after(milliseconds: patience.read) { [unowned self] in
      finish(.failure(.noAnswer))
    }
    references = [only.window]
    checkToolkit(only.program)
  }

  private func checkToolkit(_ program: AccessibleReference) {
    var texts: [String?] = [nil, nil]
    var interfaces: [String] = []
    let next: (WindowReader) -> Void = { reader in
      let (name, version) = (texts[0] ?? "", texts[1] ?? "")
      if name == "gtk", version.hasPrefix("3.") { return reader.readObjects() }
      guard name == "Qt", version.hasPrefix("6.") else {
        return reader.finish(.failure(.toolkit("\(name) \(version)")))
      }
      // Only windows of widgets have actions. Qt Quick does not report scrolling areas.
      guard interfaces.contains("org.a11y.atspi.Action") else {
        return reader.finish(.failure(.quick))
      }
      reader.tree.toolkit = .qt6
      reader.readObjects()
    }
    for (index, property) in ["ToolkitName", "Version"].enumerated() {
      calls.text(
        property, of: "org.a11y.atspi.Application", on: program, expect(next) { texts[index] = $1 })
    }
    calls.interfaces(of: references[0], expect(next) { interfaces = $1 ?? [] })
  }

  // MARK: - The objects

  private func readObjects() {
    tree.objects = [
      AccessibleTree.Object(parent: nil, role: AccessibleRole(rawValue: 0), states: [], place: nil)
    ]
    read(0, depth: 0)
  }

  private func finishObjects() {
    for (index, object) in tree.objects.enumerated() where object.role.isText {
      // A name of the same length as the text may be the text.
      if textLengths[index] == object.name?.unicodeScalars.count {
        tree.objects[index].name = nil
      }
    }
    finish(.success(Found(program: references[0].program, tree: tree)))
  }

  private func read(_ index: Int, depth: Int) {
    let object = references[index]
    let next: (WindowReader) -> Void = { $0.finishObjects() }
    var left = 3
    let isRead: (WindowReader) -> Void = { reader in
      left -= 1
      if left == 0, !reader.isOver { reader.readParts(of: index, depth: depth, next) }
    }
    calls.role(
      of: object,
      expect(next) { reader, role in
        guard let role else { return reader.finish(.failure(.changed)) }
        reader.tree.objects[index].role = role
        isRead(reader)
      })
    calls.states(
      of: object,
      expect(next) { reader, states in
        guard let states else { return reader.finish(.failure(.changed)) }
        reader.tree.objects[index].states = states
        isRead(reader)
      })
    calls.place(
      of: object,
      expect(next) { reader, place in
        reader.tree.objects[index].place = place
        isRead(reader)
      })
  }

  /// Reads the name of a control, and the children of an object.
  private func readParts(
    of index: Int, depth: Int, _ next: @escaping (WindowReader) -> Void
  ) {
    let (object, reference) = (tree.objects[index], references[index])
    guard object.states.contains(.shown) else { return }
    if object.role.mayBeControl, index > 0 { readName(of: index, next) }
    guard index == 0 || !object.role.isLeaf, !object.states.contains(.managesDescendants) else {
      return
    }
    calls.children(
      of: reference, limit: AccessibleTree.sizeLimit,
      expect(next) { reader, children in
        guard let children else { return reader.finish(.failure(.changed)) }
        // Objects of other programs, such as plugs, have coordinates of their own.
        let ours = children.filter { $0.program == reference.program }
        let first = reader.references.count
        guard first + ours.count <= AccessibleTree.sizeLimit,
          depth < AccessibleTree.depthLimit || ours.isEmpty
        else { return reader.finish(.failure(.tooLarge)) }
        reader.references += ours
        reader.tree.objects[index].children = Array(first..<first + ours.count)
        for child in first..<first + ours.count {
          reader.tree.objects.append(
            AccessibleTree.Object(
              parent: index, role: AccessibleRole(rawValue: 0), states: [], place: nil))
          reader.read(child, depth: depth + 1)
        }
      })
  }

  private func readName(of index: Int, _ next: @escaping (WindowReader) -> Void) {
    let (role, reference) = (tree.objects[index].role, references[index])
    calls.text(
      "AccessibleId", on: reference, expect(next) { $0.tree.objects[index].identifier = $1 })
    if role.isListEntry {
      calls.interfaces(
        of: reference,
        expect(next) {
          $0.tree.objects[index].isActivatable = $1?.contains("org.a11y.atspi.Action") ?? false
        })
    }
    guard !role.isNamedByContent else { return }
    calls.text("Name", on: reference, expect(next) { $0.tree.objects[index].name = $1 })
    guard role.isText else { return }
    calls.textLength(of: reference, expect(next) { $0.textLengths[index] = $1 })
  }
}
