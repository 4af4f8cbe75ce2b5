import Storage
import Text
import TouchModel

/// Writes the objects of a kiosk for a fleet: one for each day that is complete and has changed.
struct FleetExport: ~Copyable {
  private let store: Store
  private let folder: FleetFolder
  private var state: FleetState
  private let now: WallTime
  private let timeZone: String?
  /// What the export did.
  private(set) var report = Report()

  struct Report: Equatable {
    var written: [ObjectName] = []
    var unchanged = 0
    /// Whether a backup of the store, or a new store, made a new generation begin.
    var beganGeneration = false
    /// The days that were left as they are, because their sessions were deleted and their sums
    /// belong to more than one generation.
    var unknown: [Day] = []
  }

  init(
    _ store: Store, to folder: consuming FleetFolder, kiosk: String, at now: WallTime,
    timeZone: String?
  ) throws(Failure) {
    let state = try folder.state() ?? FleetState(kiosk: kiosk)
    guard state.kiosk == kiosk else {
      throw Failure(
        "this folder has the objects of the kiosk \(state.kiosk), and not of \(kiosk): under a new "
          + "name its touches would count twice; keep the name, or use a new folder")
    }
    self.store = store
    self.folder = folder
    self.state = state
    self.now = now
    self.timeZone = timeZone
  }

  mutating func run(_ progress: borrowing Progress) throws {
    try compareStarts()
    let today = Day(local: now)
    let incomplete = Set(try store.incompleteDays(from: today))
    let known = state.generations.flatMap(\.days.keys).filter { !incomplete.contains($0) }
    let days = Set(try store.completeDays(before: today)).union(known)
    progress.begin(days.count, "days")
    for day in days.sorted() {
      for index in state.generations.indices { try update(day, index) }
      progress.advance()
    }
  }

  /// Notes the starts of the daemon, and begins a new generation if sessions are missing.
  private mutating func compareStarts() throws {
    var new = state
    let began = new.compare(
      last: try store.lastSessionID, starts: try store.starts(), name: ObjectName.newGeneration())
    guard new != state else { return }
    state = new
    if began {
      report.beganGeneration = true
      // The objects of earlier generations keep the sessions that are missing now. Only what
      // changes from now on, because sessions are forgotten, makes a new revision.
      for index in state.generations.indices.dropLast() {
        for day in state.generations[index].days.keys {
          guard let content = try content(of: day, index) else { continue }
          let digest = try object(content, index).digest()
          state.generations[index].days[day]?.digest = digest
        }
      }
    }
    try folder.write(state)
  }

  private mutating func update(_ day: Day, _ index: Int) throws {
    guard let content = try content(of: day, index) else { return report.unknown.append(day) }
    let written = state.generations[index].days[day]
    guard written != nil || !content.isEmpty else { return }
    var object = object(content, index)
    let digest = try object.digest()
    guard digest != written?.digest else { return report.unchanged += 1 }
    let last = max(written?.revision ?? 0, try folder.highestRevision(object.name))
    object.revision = max(now.milliseconds, last + 1)
    try folder.write(try object.packed(), named: object.name)
    state.generations[index].days[day] = FleetState.Written(
      revision: object.revision, digest: digest)
    try folder.write(state)
    try folder.removeRevisions(below: object.name)
    report.written.append(object.name)
  }

  private func object(_ content: DayContent, _ index: Int) -> DayObject {
    DayObject(
      kiosk: state.kiosk, generation: state.generations[index].name, revision: 1,
      timeZone: timeZone, version: touchgridVersion, content: content)
  }

  /// Returns what the store has for a day and a generation; nil if that cannot be known.
  private func content(of day: Day, _ index: Int) throws -> DayContent? {
    if state.generations.count == 1 { return try store.content(of: day) }
    let isLast = index == state.generations.count - 1
    let writers = state.generations.indices.filter { state.generations[$0].days[day] != nil }
    // Suspected ghosts belong to no session. They are those of the last generation, unless an
    // earlier one wrote the day, perhaps with some of them.
    let hasGhosts = isLast && writers.allSatisfy { $0 == index }
    func whole() throws -> DayContent {
      var content = try store.content(of: day)
      if !hasGhosts {
        content.ghosts = []
        content.summary.ghostsOutside = 0
      }
      return content
    }
    guard var content = try store.content(of: day, sessions: state.generations[index].sessions)
    else {
      // Only the sums of the whole day remain.
      guard writers.count <= 1 else { return nil }
      return index == writers.first ?? state.generations.count - 1
        ? try whole() : DayContent(summary: DaySummary(day: day))
    }
    if hasGhosts {
      content.ghosts = try store.ghosts(on: day)
      content.summary.ghostsOutside = try store.content(of: day).summary.ghostsOutside
    }
    return content
  }
}
