import Storage
import Text
import TouchModel

/// The state of the export for a fleet, `state.json` in its folder. It is outside the store, so
/// that a restored backup of the store does not restore it as well.
struct FleetState: Equatable {
  static let format = 1

  var kiosk: String
  /// The time at which the store was last recovered from a damaged one; nil if it never was.
  var recovered: WallTime?
  /// The generations, in the order in which they began. Sessions of different generations add up.
  var generations: [Generation] = []
  /// The generation that new sessions belong to.
  var current = 0
  /// The unchangeable days that were already reported to the user.
  var unknown: Set<Day> = []

  struct Generation: Equatable {
    var name: String
    /// The daemon's starts and the store's last session, as of the last export in which this
    /// generation was the current one.
    var starts: [DaemonStart]
    var lastSession: Int64
    /// The ids of the store's sessions in this generation; empty if the store no longer has any.
    var sessions: Range<Int64>
    /// The days that were exported.
    var days: [Day: Written] = [:]
  }

  struct Written: Equatable {
    var revision: Int64
    /// The digest of the store's content of this day and generation at the last export. The object
    /// may have more: sessions that a backup lacks. nil if the next content counts as that of the
    /// object.
    var digest: String?
  }

  init(kiosk: String) { self.kiosk = kiosk }
}

// MARK: Generations

/// The properties that distinguish stores.
struct StoreIdentity: Equatable {
  /// The last session that was ever written.
  var lastSession: Int64
  var starts: [DaemonStart]
  /// The time at which the store was recovered from a damaged one; nil if it was not.
  var recovered: WallTime?
}

extension FleetState {
  /// Assigns the sessions of the store to generations. A session belongs to the first generation
  /// whose store had it. A new generation begins if the store lacks sessions of every generation:
  /// it is a restored backup or a new store. A restored backup with all sessions of a generation
  /// continues that generation.
  ///
  /// - Parameter name: the name of a new generation.
  /// - Returns: whether a new generation began that is not the first.
  mutating func compare(_ store: StoreIdentity, name: String) -> Bool {
    let known = generations.count
    let shared = generations.map { $0.lastShared(with: store) }
    if let going = generations.indices.last(where: { shared[$0] == .all }) {
      current = going
    } else {
      current = known
      generations.append(Generation(name: name, starts: [], lastSession: 0, sessions: 1..<1))
    }
    var first: Int64 = 1
    for index in generations.indices {
      let end: Int64 =
        switch index {
        case current: .max
        case known: first
        default: shared[index].end(generations[index])
        }
      let sessions = first..<max(first, end)
      let before = generations[index].sessions
      generations[index].sessions = sessions
      first = sessions.upperBound
      let isLonger =
        sessions.lowerBound == before.lowerBound && sessions.upperBound >= before.upperBound
      // The objects keep the sessions that the store no longer has.
      if index < known, !isLonger || store.recovered != recovered {
        for day in generations[index].days.keys { generations[index].days[day]?.digest = nil }
      }
    }
    recovered = store.recovered
    generations[current].starts = store.starts
    generations[current].lastSession = store.lastSession
    return known > 0 && current == known
  }
}

extension FleetState.Generation {
  fileprivate enum Shared: Equatable {
    /// The store has all sessions of the generation.
    case all
    /// The store has the sessions up to this one.
    case upTo(Int64)

    func end(_ generation: FleetState.Generation) -> Int64 {
      switch self {
      case .all: generation.lastSession + 1
      case .upTo(let last): last + 1
      }
    }
  }

  /// Returns the last session that the store has in common with the store of this generation.
  /// Sessions are in common if they began before the first start of the daemon that only one store
  /// has.
  fileprivate func lastShared(with store: StoreIdentity) -> Shared {
    let known = Set(starts)
    guard let common = store.starts.last(where: { known.contains($0) }) else {
      // If the last export is very many starts ago, the store no longer has the known ones.
      if let last = starts.last, store.starts.count >= Store.keptStarts,
        store.starts[0].run > last.run, store.lastSession >= lastSession
      {
        return .all
      }
      // Sessions before the first known start are assumed to be the same.
      let shared = min(
        Self.before(starts.first, lastSession), Self.before(store.starts.first, store.lastSession))
      return starts.isEmpty && shared == lastSession ? .all : .upTo(max(0, shared))
    }
    let (next, theirs) = (
      starts.first { $0.run > common.run }, store.starts.first { $0.run > common.run }
    )
    let shared = min(Self.before(next, lastSession), Self.before(theirs, store.lastSession))
    return next == nil && shared == lastSession ? .all : .upTo(max(0, shared))
  }

  /// Returns the last session before a start; `last` if there is no start.
  private static func before(_ start: DaemonStart?, _ last: Int64) -> Int64 {
    min(last, start.map { $0.firstSession - 1 } ?? last)
  }
}

// MARK: The file

extension FleetState {
  init(_ bytes: [UInt8]) throws(Failure) {
    let file: File
    do throws(JSON.Problem) {
      file = try JSON.decode(File.self, from: bytes[...])
    } catch {
      throw Failure(error.reason)
    }
    guard file.format == Self.format else {
      throw Failure("it has the format \(file.format), but only \(Self.format) is known")
    }
    guard ObjectName.isKiosk(file.kiosk) else { throw Failure("its kiosk is invalid") }
    self.init(kiosk: file.kiosk)
    recovered = file.recoveredAtMs.map { WallTime(milliseconds: $0) }
    for generation in file.generations { generations.append(try Self.generation(generation)) }
    current = file.current
    guard generations.isEmpty ? current == 0 : generations.indices.contains(current) else {
      throw Failure("its current generation is invalid")
    }
    unknown = Set(try file.unknown.map { text throws(Failure) in try Self.day(text) })
  }

  /// The valid ids of sessions and starts.
  private static let ids = Int64(1)..<1 << 53

  private static func generation(_ file: File.Generation) throws(Failure) -> Generation {
    let (first, end) = (file.firstSession, file.endSession ?? .max)
    guard ObjectName.isGeneration(file.name), first > 0, first <= end,
      file.lastSession == 0 || ids.contains(file.lastSession),
      file.starts.allSatisfy({ ids.contains($0.run) && ids.contains($0.firstSession) })
    else { throw Failure("a generation is invalid") }
    var generation = Generation(
      name: file.name,
      starts: file.starts.map {
        DaemonStart(
          run: $0.run, began: WallTime(milliseconds: $0.beganAtMs), firstSession: $0.firstSession)
      }, lastSession: file.lastSession, sessions: first..<end)
    for (text, written) in file.days {
      guard (1..<ObjectName.highestRevision).contains(written.revision) else {
        throw Failure("a revision is invalid")
      }
      generation.days[try day(text)] = Written(revision: written.revision, digest: written.digest)
    }
    return generation
  }

  private static func day(_ text: String) throws(Failure) -> Day {
    guard let day = Day(text) else { throw Failure("a day is invalid") }
    return day
  }

  func encoded() throws(Failure) -> [UInt8] {
    let file = File(
      format: Self.format, kiosk: kiosk, recoveredAtMs: recovered?.milliseconds,
      current: current, unknown: unknown.map(\.text).sorted(),
      generations: generations.map { generation in
        File.Generation(
          name: generation.name, lastSession: generation.lastSession,
          starts: generation.starts.map {
            File.Start(
              run: $0.run, beganAtMs: $0.began.milliseconds, firstSession: $0.firstSession)
          },
          firstSession: generation.sessions.lowerBound,
          endSession: generation.sessions.upperBound == .max
            ? nil : generation.sessions.upperBound,
          days: Dictionary(
            uniqueKeysWithValues: generation.days.map {
              ($0.key.text, File.Day(revision: $0.value.revision, digest: $0.value.digest))
            }))
      })
    guard let bytes = JSON.encodedObject(file) else { throw Failure("the state cannot be encoded") }
    return bytes + [UInt8(ascii: "\n")]
  }

  private struct File: Codable {
    var format: Int
    var kiosk: String
    var recoveredAtMs: Int64?
    var current: Int
    var unknown: [String]
    var generations: [Generation]

    struct Start: Codable {
      var run: Int64
      var beganAtMs: Int64
      var firstSession: Int64
    }

    struct Generation: Codable {
      var name: String
      var lastSession: Int64
      var starts: [Start]
      var firstSession: Int64
      /// The id after the generation's last session; missing in the current generation.
      var endSession: Int64?
      var days: [String: Day]
    }

    struct Day: Codable {
      var revision: Int64
      var digest: String?
    }
  }
}
