import Foundation
import Heatmaps
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// What the daemon sends of past sessions. `DaemonAgreementTests` compares all commands with a store's
/// file.
@Suite struct PastTests {
  @Test func `An unknown session is the same error from the daemon and from a file`() throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore.usual(in: folder)
    let daemon = try StubDaemon(in: folder, ["GetGrids": .fault(API.NoSuchSession(99))])
    let asked = try folder.run(["heatmap", "--session", "99", "--socket", daemon.path])
    let read = try folder.run(["heatmap", "--session", "99", "--store", store])
    #expect(asked.status == 1 && read.status == 1 && asked.error == read.error)
    #expect(
      read.error == "touchgrid: there is no session 99; 'touchgrid sessions' lists all sessions\n")
  }

  @Test func `An impossible grid from a daemon is rejected`() throws {
    let zeros = Counters(count: 60)
    var grid = API.Grid(
      SummedGrid(
        key: SampleStore.key("menu", try geometry()), layer: .taps, sessions: 1,
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
