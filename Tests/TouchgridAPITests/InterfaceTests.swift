import Testing
import TouchModel
import TouchgridAPI
import Varlink

/// What the build does not make from the interface file. `Calls` compares replies with the file.
@Suite struct InterfaceTests {
  /// Returns the names between the parentheses after `type NAME`, without comments.
  private func members(of type: String) throws -> Set<String> {
    let lines = InterfaceDescription.touchgrid.text.split(separator: "\n")
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix("  #") }
    let text = lines.joined(separator: " ")
    let start = try #require(text.firstRange(of: "type \(type) (")).upperBound
    return Set(
      text[start...].prefix { $0 != ")" }.split { ", ".contains($0) }.map { String($0) })
  }

  @Test func `Every enumeration has exactly the names of the interface file`() throws {
    let names: [String: [String]] = [
      "Phase": API.Phase.allCases.map(\.rawValue),
      "Cancellation": API.Cancellation.allCases.map(\.rawValue),
      "Source": API.Source.allCases.map(\.rawValue),
      "ContactProtocol": API.ContactProtocol.allCases.map(\.rawValue),
      "SessionMode": API.SessionMode.allCases.map(\.rawValue),
      "SessionEnd": API.SessionEnd.allCases.map(\.rawValue),
      "Layer": API.Layer.allCases.map(\.rawValue),
      "ActivityState": API.ActivityState.allCases.map(\.rawValue),
    ]
    for (type, names) in names { #expect(try members(of: type) == Set(names), "\(type)") }
  }

  @Test func `Errors say what is wrong`() {
    let faults: [any Fault] = [
      API.NotPermitted(.watch, group: "touchgrid-watch"), API.NoSession(), API.NoSuchSession(1),
      API.InvalidValue("rotation", "45", "must be 0, 90, 180 or 270"), API.NoSuchMask(),
      API.NoSuchDisplay("a", known: ["b"]), API.TooLate(lateUs: 1, limitUs: 2),
      API.LimitReached("masks", limit: 1, hint: "remove one first"),
      API.ReplyTooLong(bytes: 2, limit: 1, wantsMore: true),
    ]
    for fault in faults { #expect(fault.message.count > 20 && !fault.message.hasSuffix(".")) }
  }
}
