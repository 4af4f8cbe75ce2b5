import TestSupport
import Testing

@testable import TouchgridFollow

/// Reads a window from programs that answer nonsense, over a real bus.
@Suite struct HostileProgramTests {
  private typealias Value = BusCall.Value

  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  /// Answers like a GTK 3 program with a window "till", which contains a button "Pay". It is the
  /// registry too.
  private static func answer(_ program: BusProgram, _ call: BusCall) {
    switch (call.member, call.path) {
    case ("GetChildren", AccessibleReference.desktop.path): call.reply(children(program, ["/app"]))
    case ("GetChildren", "/app"): call.reply(children(program, ["/window"]))
    case ("GetChildren", "/window"): call.reply(children(program, ["/button"]))
    case ("GetChildren", _): call.reply(children(program, []))
    case ("GetRole", "/button"): call.reply(.unsigned(AccessibleRole.pushButton.rawValue))
    case ("GetRole", _): call.reply(.unsigned(39))
    case ("GetState", _):
      call.reply(.array("u", [.unsigned(1 << 24 | 1 << 25 | 1 << 30), .unsigned(0)]))
    case ("GetExtents", "/button"): call.reply(place(10, 20, 100, 50))
    case ("GetExtents", _): call.reply(place(0, 0, 800, 480))
    case ("GetInterfaces", _): call.reply(.array("s", [.text("org.a11y.atspi.Component")]))
    case ("Get", let path):
      let texts = ["ToolkitName": "gtk", "Version": "3.24.38", "AccessibleId": ""]
      let name = path == "/button" ? "Pay" : "till"
      call.reply(.variant(.text(texts[call.property] ?? name)))
    default: call.reply()
    }
  }

  private static func children(_ program: BusProgram, _ paths: [String]) -> Value {
    .array("(so)", paths.map { .structure([.text(program.name), .path($0)]) })
  }

  private static func place(_ numbers: Int32...) -> Value {
    .structure(numbers.map { .signed($0) })
  }

  /// Reads the window "till".
  /// - Parameters:
  ///   - lie: Answers a call as no honest program does, and returns true; or returns false.
  ///   - times: How often the window is read.
  ///   - patience: Long, unless a program is silent: a busy machine must change no result.
  ///   - first: The time to read the objects for the first time, if it is another.
  private func read(
    times: Int = 1,
    patience: WindowReader.Patience = .init(search: 20_000, read: 20_000), first: Int? = nil,
    _ lie: @escaping (BusProgram, BusCall) -> Bool
  ) throws -> Result<WindowReader.Found, WindowReader.Refusal> {
    let loop = try Loop()
    let program = try BusProgram(
      loop: loop, on: bus.address, named: AccessibleReference.desktop.program
    ) { program, call in
      if !lie(program, call) { Self.answer(program, call) }
    }
    var hasEnded = false
    let connection = try DBusConnection(
      loop: loop, address: bus.address, signal: { _ in }, ended: { hasEnded = true })
    var results: [Result<WindowReader.Found, WindowReader.Refusal>] = []
    var readers: [WindowReader] = []
    func start() {
      var patience = patience
      if results.isEmpty, let first { patience.read = first }
      readers.append(
        WindowReader(loop: loop, bus: connection, title: "till", patience: patience) {
          results.append($0)
          if results.count < times { start() } else { loop.end() }
        })
    }
    start()
    let limit = loop.after(milliseconds: Int(90_000 * slowness)) { loop.end() }
    try loop.run()
    withExtendedLifetime((program, limit, connection)) {}
    // Their closures capture this list.
    readers = []
    #expect(!hasEnded)
    return try #require(results.last)
  }

  private func refusal(
    patience: WindowReader.Patience = .init(search: 20_000, read: 20_000),
    _ lie: @escaping (BusProgram, BusCall) -> Bool
  ) throws -> WindowReader.Refusal? {
    guard case .failure(let refusal) = try read(patience: patience, lie) else { return nil }
    return refusal
  }

  @Test func `An honest program is read`() throws {
    let found = try read { _, _ in false }.get()
    #expect(found.tree.objects.count == 2)
    #expect(found.tree.controls().items.map(\.label) == ["Pay"])
  }

  @Test(arguments: [
    ("GetChildren", "/window", WindowReader.Refusal.changed), ("GetRole", "/button", .changed),
    ("GetState", "/button", .changed), ("GetState", "/window", .notFound),
    ("GetExtents", "/window", .notFound), ("GetChildren", "/app", .notFound),
    ("GetChildren", AccessibleReference.desktop.path, .notFound), ("Get", "/window", .notFound),
  ])
  func `Values of other types are no answer`(
    member: String, path: String, wanted: WindowReader.Refusal
  ) throws {
    let nonsense: [Value] = [
      .text("nonsense"), .variant(.array("u", [])), .array("(ss)", []), .structure([.signed(1)]),
      .array("u", [.unsigned(1)]), .array("u", [Value](repeating: .unsigned(1), count: 100)),
    ]
    for value in nonsense {
      let refusal = try refusal { _, call in
        guard call.member == member, call.path == path else { return false }
        call.reply(value)
        return true
      }
      #expect(refusal == wanted, "\(value)")
    }
  }

  @Test func `Values of other types where a control needs none leave it without them`() throws {
    let found = try read { _, call in
      guard call.path == "/button", ["Get", "GetExtents"].contains(call.member) else {
        return false
      }
      call.reply(.variant(.signed(1)), .text("x"))
      return true
    }.get()
    #expect(found.tree.objects.last?.name == nil)
    #expect(found.tree.objects.last?.place == nil)
  }

  @Test func `Endless children, deep ones and cycles are too many`() throws {
    let paths: [(BusCall) -> [String]] = [
      { call in (0..<200).map { "\(call.path)/\($0)" } }, { call in [call.path + "/a"] },
      { call in [call.path] }, { _ in (0..<4096).map { "/part/\($0)" } },
    ]
    for paths in paths {
      let refusal = try refusal { program, call in
        guard call.member == "GetChildren",
          !["/app", AccessibleReference.desktop.path].contains(call.path)
        else { return false }
        call.reply(Self.children(program, paths(call)))
        return true
      }
      #expect(refusal == .tooLarge)
    }
  }

  @Test func `More children than the limit, and long paths, are no answer`() throws {
    let long = "/" + String(repeating: "a", count: 5000)
    for paths in [(0..<5000).map { "/part/\($0)" }, [long]] {
      let refusal = try refusal { program, call in
        guard call.member == "GetChildren", call.path == "/window" else { return false }
        call.reply(Self.children(program, paths))
        return true
      }
      #expect(refusal == .changed)
    }
  }

  @Test func `A name of many megabytes is not read`() throws {
    let name = String(repeating: "a", count: 16 << 20)
    let found = try read(times: 3) { program, call in
      guard call.member == "Get", call.path == "/button" else { return false }
      call.reply(.variant(.text(name)))
      program.flush()
      return true
    }.get()
    #expect(found.tree.controls().items.map(\.label) == [""])
  }

  @Test func `A program that is silent does not hold up the next reading`() throws {
    let usual = WindowReader.Patience()
    #expect(try refusal(patience: usual) { _, call in call.path == "/window" } == .noAnswer)
    var silent = 0
    // The first reading leaves as many calls without an answer as may wait.
    let result = try read(times: 2, first: 1000) { program, call in
      if call.member == "GetChildren", call.path == "/window", silent == 0 {
        call.reply(Self.children(program, (0..<100).map { "/part/\($0)" }))
        return true
      }
      guard call.path.hasPrefix("/part"), silent < 100 else { return false }
      silent += 1
      return true
    }
    #expect(silent > 50)
    #expect(throws: Never.self) { try result.get() }
  }

  @Test(arguments: [true, false])
  func `A program that leaves the bus, or answers with an error, has changed`(leaves: Bool) throws {
    let refusal = try refusal { program, call in
      guard call.member == "GetState", call.path == "/button" else { return false }
      if leaves { program.vanish() } else { call.fail() }
      return true
    }
    #expect(refusal == .changed)
  }

  @Test func `Calls and signals of others do not disturb`() throws {
    let result = try read { program, call in
      for _ in 0..<200 { program.bother(call.sender) }
      return false
    }
    #expect(throws: Never.self) { try result.get() }
  }

  @Test func `Only unique names of a bus are called`() {
    for name in [":1.5", ":1.42"] {
      #expect(AccessibleReference(program: name, path: "/").isValid)
    }
    for name in ["", ":", ":1", "1.5", ":1..5", ":.5", ":1.", ":1.a", ":1.5\0", "org.a"] {
      #expect(!AccessibleReference(program: name, path: "/").isValid)
    }
  }
}
