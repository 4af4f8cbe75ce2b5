import Storage
import Text
import TouchModel

/// What the export for a fleet must remember beside the objects: `state.json` in its folder. It
/// lies outside the store, so that it is not put back together with a backup of the store.
struct FleetState: Equatable {
  static let format = 1

  var kiosk: String
  /// The last session and the starts of the daemon, as the store had them.
  var lastSession: Int64 = 0
  var starts: [DaemonStart] = []
  /// Oldest first. Sessions of different generations add up.
  var generations: [Generation] = []

  struct Generation: Equatable {
    var name: String
    /// The ids of its sessions; empty if a backup lacks them all. The last generation has no end
    /// yet: `Int64.max`.
    var sessions: Range<Int64>
    /// The days that were written.
    var days: [Day: Written] = [:]
  }

  struct Written: Equatable {
    var revision: Int64
    /// The digest of what the store has for this day and generation. After a backup was put back,
    /// that is less than what the object has.
    var digest: String
  }

  init(kiosk: String) { self.kiosk = kiosk }

  // MARK: Generations

  /// Compares the starts of the daemon with the known ones, and begins a new generation if the
  /// store no longer has all sessions that it had: a backup was put back, or there is a new store.
  /// - Parameters:
  ///   - last: the last session of the store.
  ///   - name: the name of a new generation.
  /// - Returns: whether a generation began besides the first.
  mutating func compare(last: Int64, starts: [DaemonStart], name: String) -> Bool {
    defer { (lastSession, self.starts) = (last, starts) }
    guard !generations.isEmpty else {
      generations = [Generation(name: name, sessions: 1..<Int64.max)]
      return false
    }
    guard let shared = lastSharedSession(last, starts) else { return false }
    for index in generations.indices {
      let sessions = generations[index].sessions
      generations[index].sessions = sessions.clamped(to: 1..<(shared + 1))
    }
    generations.append(Generation(name: name, sessions: (shared + 1)..<Int64.max))
    return true
  }

  /// Returns the last session that both the known store and this one have; nil if this store is the
  /// known one and has all of its sessions.
  private func lastSharedSession(_ last: Int64, _ starts: [DaemonStart]) -> Int64? {
    // Without starts, only the ids can tell.
    if self.starts.isEmpty { return last < lastSession ? last : nil }
    let known = Set(self.starts)
    guard let common = starts.last(where: { known.contains($0) }) else {
      // It is another store, even if no id is missing: a store that replaced a damaged one goes on
      // with its ids. Sessions from before its first start are those of an old backup.
      return max(0, min(lastSession, starts.first.map { $0.firstSession - 1 } ?? last))
    }
    // A session belongs to both if it began before the first start that only one of them has.
    func end(_ starts: [DaemonStart], _ last: Int64) -> Int64 {
      let next = starts.first { $0.run > common.run }
      return min(last, next.map { $0.firstSession - 1 } ?? last)
    }
    let shared = max(0, min(end(self.starts, lastSession), end(starts, last)))
    return shared < lastSession ? shared : nil
  }

  // MARK: The file

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
    // The store has no ids from 2^53 on.
    let ids = Int64(1)..<1 << 53
    guard ObjectName.isKiosk(file.kiosk), file.lastSession == 0 || ids.contains(file.lastSession)
    else { throw Failure("its kiosk or last session is invalid") }
    guard file.starts.allSatisfy({ ids.contains($0.run) && ids.contains($0.firstSession) }) else {
      throw Failure("a start is invalid")
    }
    self.init(kiosk: file.kiosk)
    lastSession = file.lastSession
    starts = file.starts.map {
      DaemonStart(
        run: $0.run, began: WallTime(milliseconds: $0.beganAtMs), firstSession: $0.firstSession)
    }
    for generation in file.generations { generations.append(try Self.generation(generation)) }
  }

  private static func generation(_ file: File.Generation) throws(Failure) -> Generation {
    let end = file.endSession ?? Int64.max
    guard ObjectName.isGeneration(file.name), file.firstSession > 0,
      file.firstSession < Int64(1) << 53,
      file.firstSession <= end
    else { throw Failure("a generation is invalid") }
    var generation = Generation(name: file.name, sessions: file.firstSession..<end)
    for (text, written) in file.days {
      guard let day = Day(text), (1...ObjectName.highestRevision).contains(written.revision) else {
        throw Failure("a day is invalid")
      }
      generation.days[day] = Written(revision: written.revision, digest: written.digest)
    }
    return generation
  }

  func encoded() throws(Failure) -> [UInt8] {
    let file = File(
      format: Self.format, kiosk: kiosk, lastSession: lastSession,
      starts: starts.map {
        File.Start(
          run: $0.run, beganAtMs: $0.began.milliseconds, firstSession: $0.firstSession)
      },
      generations: generations.map { generation in
        File.Generation(
          name: generation.name, firstSession: generation.sessions.lowerBound,
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
    var lastSession: Int64
    var starts: [Start]
    var generations: [Generation]

    struct Start: Codable {
      var run: Int64
      var beganAtMs: Int64
      var firstSession: Int64
    }

    struct Generation: Codable {
      var name: String
      var firstSession: Int64
      /// The id after its last session; missing in the last generation.
      var endSession: Int64?
      var days: [String: Day]
    }

    struct Day: Codable {
      var revision: Int64
      var digest: String
    }
  }
}
