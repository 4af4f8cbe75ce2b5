import Foundation
import Testing
import TouchgridAPI

/// Names that are equal for Swift but not for SQLite: "é" as one Unicode scalar or as two.
@Suite struct NameSpellingTests {
  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"

  @Test func `A name is normalised, whether from a client, the configuration or a tag`() throws {
    let daemon = try RunningDaemon("[[mask]]\nscreen = \"\(Self.decomposed)\"\n")
    var client = try daemon.client()
    func expectComposed(_ name: String?) {
      #expect(Array((name ?? "").utf8) == Array(Self.composed.utf8))
    }
    for name in [Self.decomposed, Self.composed] {
      _ = try client.call(API.SetScreen(name: name))
      expectComposed(try client.call(API.GetScreen()).screen)
    }
    expectComposed(try client.call(API.GetMasks()).configured.first?.screen)

    _ = try client.call(API.AddMask(mask: API.Mask(screen: "x" + Self.decomposed)))
    _ = try client.call(API.RemoveMask(mask: API.Mask(screen: "x" + Self.composed)))
    #expect(try client.call(API.GetMasks()).added.isEmpty)

    _ = try client.call(API.BeginSession(tags: [Self.decomposed: Self.decomposed]))
    let session = try #require(try client.call(API.GetStatus()).session)
    expectComposed(session.tags.first?.key)
    expectComposed(session.tags.first?.value)
    let found = try client.call(API.ListSessions(tags: [Self.decomposed: Self.decomposed]))
    #expect(found.sessions.count == 1)
  }
}
