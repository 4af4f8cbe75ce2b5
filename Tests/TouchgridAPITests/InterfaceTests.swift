import Testing
import TouchModel
import TouchgridAPI
import Varlink

/// Compares the types with the interface file, `io.touchgrid.varlink`.
@Suite struct InterfaceTests {
  private let interface: InterfaceText

  init() throws { interface = try InterfaceText(InterfaceDescription.touchgrid.text) }

  // MARK: Types

  private func checkType(_ name: String, _ sample: some Codable & Hashable) throws {
    guard case .structure(let members) = try #require(interface.types[name]) else {
      Issue.record("\(name) is no structure")
      return
    }
    #expect(interface.problems(try json(sample), members, isFull: true) == [], "\(name)")
    try checkRoundTrip(sample)
  }

  private func checkRoundTrip<Value: Codable & Hashable>(_ value: Value) throws {
    #expect(try decoded(Value.self, encoded(value)) == value)
  }

  @Test func `Every type has exactly the members of the interface file`() throws {
    let samples: [String: any Codable & Hashable] = [
      "Point": API.Point(x: 1, y: 2.5), "Block": API.Block(column: 1, row: 2),
      "Touch": Samples.touch, "Range": API.Range(minimum: -1, maximum: 1 << 40),
      "DeviceTally": Samples.tally, "Device": try Samples.device(),
      "RefusedDevice": API.RefusedDevice(node: "/dev/input/event1", name: "a", reason: "b"),
      "Geometry": try Samples.geometry(), "Display": try Samples.display(),
      "Totals": API.Totals(Samples.record.totals), "Session": Samples.session,
      "Day": Samples.day,
      "Span": Samples.span, "HourRange": Samples.hours, "Screen": try Samples.screen(),
      "Grid": try Samples.grid(),
      "Rectangle": API.Rectangle(x: 1, y: 2, width: 3, height: 4), "Mask": Samples.mask,
      "SessionCount": Samples.sessionCount, "GridMemory": Samples.gridMemory,
      "Store": Samples.store, "Control": Samples.control,
      "ScreenControls": Samples.screenControls, "Counts": try Samples.counts(),
      "CountedView": try #require(Samples.counts().view),
    ]
    for (name, sample) in samples { try checkType(name, sample) }
    let structures = interface.types.filter {
      if case .structure = $0.value { true } else { false }
    }
    #expect(Set(structures.keys) == Set(samples.keys))
  }

  @Test func `Every enumeration has exactly the names of the interface file`() {
    let choices: [String: [String]] = [
      "Phase": API.Phase.allCases.map(\.rawValue),
      "Cancellation": API.Cancellation.allCases.map(\.rawValue),
      "Source": API.Source.allCases.map(\.rawValue),
      "ContactProtocol": API.ContactProtocol.allCases.map(\.rawValue),
      "SessionMode": API.SessionMode.allCases.map(\.rawValue),
      "SessionEnd": API.SessionEnd.allCases.map(\.rawValue),
      "Layer": API.Layer.allCases.map(\.rawValue),
      "ActivityState": API.ActivityState.allCases.map(\.rawValue),
    ]
    var described: [String: Set<String>] = [:]
    for case (let name, .choice(let names)) in interface.types { described[name] = Set(names) }
    #expect(choices.mapValues(Set.init) == described)
  }

  // MARK: Methods

  /// Compares a method with the interface file.
  /// - Parameters:
  ///   - call: a call with every member set.
  ///   - reply: a reply with every member set.
  /// - Returns: the name of the method, without that of the interface.
  private func checkMethod<M: ServedMethod>(_ call: M, _ reply: M.Reply) throws -> String {
    let short = String(M.name.dropFirst(API.interface.count + 1))
    #expect(M.name == "\(API.interface).\(short)")
    let method = try #require(interface.methods[short], "\(M.name)")
    #expect(M.names == method.parameters.map(\.name))
    #expect(interface.problems(try json(call), method.parameters, isFull: true) == [], "\(short)")
    #expect(interface.problems(try json(reply), method.reply, isFull: true) == [], "\(short)")
    try checkRoundTrip(reply)
    #expect(try decoded(M.self, encoded(call)) == call)
    return short
  }

  @Test func `The methods and their parameters equal those of the interface file`() throws {
    let display = try Samples.display()
    let done = API.NoReply()
    let session = API.SessionReply(session: 1)
    let names = try [
      checkMethod(API.GetStatus(), Samples.status()),
      checkMethod(
        API.Forget(span: Samples.span, session: 7),
        .init(sessions: 1, touches: 2, days: 3, notErased: "x")),
      checkMethod(
        API.GetDevices(),
        .init(
          devices: [Samples.device()],
          refused: [API.RefusedDevice(node: "a", name: "b", reason: "c")])),
      checkMethod(API.GetDisplays(), .init(displays: [display])),
      checkMethod(
        API.SetDisplay(name: "a", pixelWidth: 1, pixelHeight: 2, scale: 1.5, rotation: 90),
        .init(display: display)),
      checkMethod(API.SetDisplayMode(name: "a", pixelWidth: 1, pixelHeight: 2), done),
      checkMethod(API.GetScreen(display: "a"), .init(screen: "menu", revision: 1 << 40)),
      checkMethod(API.SetScreen(name: "menu", display: "a", changedAtUs: .max), done),
      checkMethod(API.Follow(), done),
      checkMethod(API.BeginSession(tags: ["a": "b"]), session),
      checkMethod(API.EndSession(), session),
      checkMethod(API.TagSession(tags: ["a": "b"]), session),
      checkMethod(API.Pause(durationMs: 1), .init(isPaused: true)),
      checkMethod(API.Resume(all: true), done),
      checkMethod(
        API.GetMasks(),
        .init(
          configured: [Samples.mask], added: [Samples.mask], widened: [Samples.mask], revision: 7)),
      checkMethod(API.AddMask(mask: Samples.mask), done),
      checkMethod(API.RemoveMask(mask: Samples.mask), done),
      checkMethod(
        API.GetControls(),
        .init(configured: [Samples.screenControls], added: [Samples.screenControls])),
      checkMethod(
        API.SetControls(screen: "a", display: "b", controls: [Samples.control]), done),
      checkMethod(
        API.AddResponse(
          screen: "a", display: "b", control: "c", endedAtUs: 1_000_000, responseMs: 130), done),
      checkMethod(
        API.GetCounts(
          kind: "panel", screen: "a", display: "b", session: 1, span: Samples.span,
          tags: ["build": "1"], weekdays: [1, 7], hours: Samples.hours, day: "2026-11-21",
          byDay: true),
        .init(counts: [Samples.counts()], hidden: 2)),
      checkMethod(
        API.ListSessions(
          span: Samples.span, tags: ["build": "1"], weekdays: [1, 7], hours: Samples.hours),
        .init(sessions: [Samples.session])),
      checkMethod(
        API.ListDays(span: Samples.span, weekdays: [1, 7]), .init(days: [Samples.day])),
      checkMethod(API.ListScreens(span: Samples.span), .init(screens: [Samples.screen()])),
      checkMethod(
        API.GetGrids(
          layer: .dwell, screen: "a", display: "b", session: 1, span: Samples.span,
          tags: ["build": "1"], weekdays: [1, 7], hours: Samples.hours, day: "2026-11-21",
          live: true,
          sessionCountsBelow: 10),
        .init(grids: [Samples.grid()])),
      checkMethod(
        API.WatchTouches(),
        .init(atUs: 1, touches: [Samples.touch], displays: [display], masks: [Samples.mask])),
      checkMethod(
        API.WatchActivity(idleAfterMs: 60_000), .init(state: .idle, sinceAtMs: 1_795_266_192_345)),
    ]
    #expect(Set(names) == Set(interface.methods.keys))
  }

  // MARK: Errors

  private func checkFault<F: Fault>(_ fault: F) throws -> String {
    let short = String(F.name.dropFirst(API.interface.count + 1))
    #expect(F.name == "\(API.interface).\(short)")
    let members = try #require(interface.errors[short], "\(F.name)")
    #expect(interface.problems(try json(fault), members, isFull: true) == [], "\(short)")
    #expect(try decoded(F.self, encoded(fault)) == fault)
    #expect(fault.message.count > 20 && !fault.message.hasSuffix("."))
    return short
  }

  @Test func `The errors and their members equal those of the interface file`() throws {
    let names = try [
      checkFault(API.NotPermitted(.watch, group: "touchgrid-watch")),
      checkFault(API.InvalidValue("rotation", "45", "must be 0, 90, 180 or 270")),
      checkFault(API.NoSuchDisplay("a", known: ["b"])),
      checkFault(API.TooLate(lateUs: 1, limitUs: 2)),
      checkFault(API.LimitReached("masks", limit: 1, hint: "remove one first")),
      checkFault(API.NoSession()), checkFault(API.NoSuchSession(1)),
      checkFault(API.NoSuchMask()),
      checkFault(API.ReplyTooLong(bytes: 2, limit: 1, wantsMore: true)),
      checkFault(API.StoreFailed("the database is locked by another", code: "busy")),
      checkFault(API.TooManyClients(limit: 1, message: "close another connection first")),
      checkFault(API.TooSlow("the client did not read its replies")),
      checkFault(API.MalformedMessage("the message is not one JSON object")),
    ]
    #expect(Set(names) == Set(interface.errors.keys))
    // `API.faults` must list every error, because clients decode only the errors in it.
    #expect(Set(API.faults.map { $0.name }) == Set(names.map { "\(API.interface).\($0)" }))
  }
}
