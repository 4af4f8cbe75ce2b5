import Foundation
import Heatmaps
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// Queries of past sessions get the same answers from the daemon and from a store's file.
@Suite struct PastTests {
  private let folder: TemporaryFolder
  private let store: String
  private let daemon: StubDaemon

  init() throws {
    folder = try TemporaryFolder()
    let path = try SampleStore.usual(in: folder)
    store = path
    daemon = try StubDaemon(in: folder, Self.answers(path))
  }

  /// Answers as a daemon would read them from its store.
  private static func answers(_ path: String) -> StubDaemon.Answers {
    @Sendable func replies<Reply: Encodable & Sendable>(
      _ call: Call, _ read: (Store) throws -> [Reply]
    ) throws(VarlinkError) -> StubDaemon.Answer {
      do {
        let replies = try read(Store(reading: path))
        return .replies(
          replies.enumerated().map {
            EncodedReply($0.element, continues: $0.offset + 1 < replies.count)
          })
      } catch {
        throw API.StoreFailed(
          "\(error)", code: (error as? StoreError)?.code.rawValue
        ).varlinkError
      }
    }
    return [
      "ListSessions": { call throws(VarlinkError) in
        let parameters = try call.parameters(API.ListSessions.self)
        return try replies(call) { store in
          // One reply per session.
          let sessions = try store.sessions(
            in: TimeSpan(since: parameters.span?.since, until: parameters.span?.until),
            Self.filter(parameters.tags, parameters.weekdays, parameters.hours))
          guard !sessions.isEmpty else { return [API.ListSessions.Reply(sessions: [])] }
          return sessions.map { API.ListSessions.Reply(sessions: [API.Session($0.record)]) }
        }
      },
      "ListDays": { call throws(VarlinkError) in
        let parameters = try call.parameters(API.ListDays.self)
        return try replies(call) { store in
          let filter = Self.filter(nil, parameters.weekdays, nil)
          return [API.ListDays.Reply(days: try Past.file(store).days(in: .always, on: filter))]
        }
      },
      "ListScreens": { call throws(VarlinkError) in
        try replies(call) { store in
          [API.ListScreens.Reply(screens: try Past.file(store).screens(in: .always))]
        }
      },
      "GetGrids": { call throws(VarlinkError) in
        let parameters = try call.parameters(API.GetGrids.self)
        if parameters.session == 99 { throw API.NoSuchSession(99).varlinkError }
        return try replies(call) { store in
          let summaries =
            try parameters.session.map {
              try store.grids(
                screen: parameters.screen, layer: parameters.layer ?? .taps, session: $0)
            }
            ?? store.grids(
              of: GridQuery(
                .span(
                  .always, Self.filter(parameters.tags, parameters.weekdays, parameters.hours)),
                layer: parameters.layer ?? .taps, screen: parameters.screen))
          guard !summaries.isEmpty else { return [API.GetGrids.Reply(grids: [])] }
          return summaries.map { API.GetGrids.Reply(grids: [API.Grid($0)]) }
        }
      },
    ]
  }

  private static func filter(
    _ tags: [String: String]?, _ weekdays: [Int64]?, _ hours: API.HourRange?
  ) -> SessionFilter {
    SessionFilter(
      tags: tags ?? [:],
      weekdays: weekdays.map { Set($0.compactMap { Weekday(rawValue: Int($0)) }) }
        ?? SessionFilter.allWeekdays,
      hours: hours.flatMap { HourRange(from: Int($0.from), until: Int($0.until)) })
  }

  private func run(_ arguments: [String]) throws -> Program.Result {
    try Program.run(arguments, in: folder)
  }

  @Test(arguments: [
    ["sessions", "--json"], ["sessions", "--json", "--since", "2026-11-21T15:03"],
    ["sessions", "--json", "--tag", "build=1.4"], ["sessions", "--tag", "build=1.5"],
    ["sessions", "--tag", "build=1.5", "--since", "2026-11-21T15:03"],
    ["sessions", "--tag", "build=1", "--tag", "build=2"], ["sessions", "--tag", "build"],
    ["sessions", "--weekdays", "mon,wed-sat"], ["sessions", "--weekdays", "sun-fri"],
    ["sessions", "--hours", "15-17", "--json"], ["sessions", "--hours", "17-14"],
    ["sessions", "--hours", "12-12"], ["sessions", "--weekdays", "weekend"],
    ["heatmap", "--weekdays", "sat", "--hours", "14-15"],
    ["heatmap", "--hours", "15-16", "--json"],
    ["heatmap", "--weekdays", "sun"],
    ["screens"], ["screens", "--json"], ["heatmap"], ["heatmap", "menu"], ["heatmap", "--json"],
    ["heatmap", "--session", "1"], ["heatmap", "menu", "-o", "-", "--format", "csv"],
    ["heatmap", "nothing"], ["heatmap", "--session", "99"],
    ["heatmap", "--layer", "trail", "nothing", "--session", "1"],
  ])
  func `The daemon and the file give the same output`(arguments: [String]) throws {
    let asked = try run(arguments + ["--socket", daemon.path])
    let read = try run(arguments + ["--store", store])
    #expect(asked.output == read.output)
    #expect(asked.error == read.error)
    #expect(asked.status == read.status)
    #expect(!asked.output.isEmpty || !asked.error.isEmpty)
    #expect(!daemon.called.isEmpty || asked.error.contains("Usage"))
  }

  @Test func `Tags and days select the same sessions in both`() throws {
    let file = Past.file(try Store(reading: store))
    let asked = Past.daemon(try DaemonConnection(path: daemon.path))
    let tags = ["build": "1.4"]
    for past in [file, asked] {
      #expect(try past.sessions(in: .always, SessionFilter(tags: tags)).map(\.record.id) == [1])
      #expect(try past.sessions(in: .always, SessionFilter(tags: ["build": "1.5"])).isEmpty)
      let days = try past.days(in: .always)
      #expect(days.map(\.sessions) == [3] && days.first?.totals?.counted == 10)
      #expect(days.first?.hours?.reduce(0, +) == 3)
    }
    func counts(_ sessions: GridQuery.Sessions) throws -> [UInt64] {
      try file.grids(GridQuery(sessions, layer: .taps, screen: "menu")).map(\.sum.sum)
    }
    #expect(try counts(.span(.always, SessionFilter(tags: tags))) == [5])
    #expect(try counts(.span(.always)) == [9])
    let first = try #require(try file.days(in: .always).first)
    let day = try #require(Day(first.day))
    #expect(try counts(.day(day)) == [9])
  }

  @Test func `An impossible grid from a daemon is rejected`() throws {
    let zeros = Counters(count: 60)
    var grid = API.Grid(
      SummedGrid(
        key: SampleStore.key("menu", try SampleStore.geometry()), layer: .taps, sessions: 1,
        days: 1, shownMilliseconds: 1, touches: 1, sum: zeros,
        sumOfSquares: Array(repeating: 0, count: 60), touchedSessions: zeros))
    let valid = grid
    #expect(SummedGrid(valid)?.sum == zeros)
    func isRejected(_ change: (inout API.Grid) -> Void) -> Bool {
      grid = valid
      change(&grid)
      return SummedGrid(grid) == nil
    }
    #expect(isRejected { $0.sum[3] = -1 })
    #expect(isRejected { $0.sum = [1] })
    #expect(isRejected { $0.sessions = -1 })
    #expect(isRejected { $0.sumOfSquares = [] })
    #expect(isRejected { $0.sumOfSquares[0] = -1 })
    #expect(isRejected { $0.sumOfSquaresHigh = [] })
    #expect(isRejected { $0.touchedSessions[1] = -1 })
  }

  @Test(arguments: [0, 1, UInt128(Int64.max), 1 << 63, 1 << 64, .max >> 2] as [UInt128])
  func `A sum of squares passes the socket exactly`(squares: UInt128) throws {
    let geometry = try #require(DisplayGeometry(pixelWidth: 16, pixelHeight: 16))
    let sum = SummedGrid(
      key: SampleStore.key("menu", geometry), layer: .dwell, sessions: 3, days: 1,
      shownMilliseconds: 1, touches: 1, sum: Counters([7]), sumOfSquares: [squares],
      touchedSessions: Counters([1]))
    let bytes = try JSONEncoder().encode(API.Grid(sum))
    #expect(SummedGrid(try JSONDecoder().decode(API.Grid.self, from: bytes)) == sum)
  }
}
