import Storage
import Text
import TouchModel

/// Writes the objects of a kiosk for a fleet: one for each past day that has changed.
struct FleetExport: ~Copyable {
  private let store: Store
  private let folder: FleetFolder
  private var state: FleetState
  private let now: WallTime
  private let timeZone: String?
  private(set) var report: Report

  struct Report: Equatable {
    var written: [ObjectName] = []
    var unchanged = 0
    /// Whether a new generation began that is not the first.
    var beganGeneration = false
    /// The days that are newly unchangeable: some of their sessions were deleted, and their sums
    /// belong to more than one generation.
    var unknown: [Day] = []
  }

  init(
    _ store: Store, to folder: consuming FleetFolder, kiosk: String, at now: WallTime,
    timeZone: String?
  ) throws(Failure) {
    var state = try folder.state() ?? FleetState(kiosk: kiosk)
    guard state.kiosk == kiosk else {
      throw Failure(
        "this folder has the objects of the kiosk \(state.kiosk), and not of \(kiosk): under a new "
          + "name its touches would count twice; keep the name, or use a new folder")
    }
    try folder.reconcile(&state)
    self.store = store
    self.folder = folder
    self.state = state
    self.now = now
    self.timeZone = timeZone
    report = Report()
  }

  mutating func run(_ progress: borrowing Progress) throws {
    let identity = StoreIdentity(
      lastSession: try store.lastSessionID, starts: try store.starts(),
      recovered: try store.recovered())
    report.beganGeneration = state.compare(identity, name: ObjectName.newGeneration())
    try folder.write(state)
    let today = Day(local: now)
    let incomplete = Set(try store.incompleteDays(from: today))
    let known = state.generations.flatMap(\.days.keys).filter { !incomplete.contains($0) }
    let days = Set(try store.completeDays(before: today)).union(known)
    progress.begin(days.count, "days")
    for day in days.sorted() {
      let writers = state.generations.indices.filter { state.generations[$0].days[day] != nil }
      for index in state.generations.indices { try update(day, index, writers) }
      progress.advance()
    }
    try folder.write(state)
  }

  /// - Parameter writers: the generations that have already written the day.
  private mutating func update(_ day: Day, _ index: Int, _ writers: [Int]) throws {
    guard let content = try content(of: day, index, writers) else {
      if state.unknown.insert(day).inserted { report.unknown.append(day) }
      return
    }
    let written = state.generations[index].days[day]
    guard written != nil || !content.isEmpty else { return }
    var object = DayObject(
      kiosk: state.kiosk, generation: state.generations[index].name, revision: 1,
      timeZone: timeZone, version: touchgridVersion, content: content)
    // Suspected ghosts are not divided between generations. Only the digest of the current one
    // includes them: new ghosts must not replace an object with more sessions than the store has.
    let digest = try object.digest(withGhosts: index == state.current)
    guard let revision = written?.revision, digest == written?.digest ?? digest else {
      object.revision = max(now.milliseconds, (written?.revision ?? 0) + 1)
      return try write(object, digest, index)
    }
    report.unchanged += 1
    state.generations[index].days[day] = FleetState.Written(revision: revision, digest: digest)
  }

  private mutating func write(_ object: DayObject, _ digest: String, _ index: Int) throws {
    try folder.write(try object.packed(), named: object.name)
    state.generations[index].days[object.content.day] = FleetState.Written(
      revision: object.revision, digest: digest)
    try folder.write(state)
    try folder.removeRevisions(below: object.name)
    report.written.append(object.name)
  }

  /// Returns the store's content of a day and a generation; nil if it cannot be determined.
  private func content(
    of day: Day, _ index: Int, _ writers: [Int]
  ) throws -> DayContent? {
    guard var content = try sessions(of: day, index, writers) else { return nil }
    // Suspected ghosts belong to no session. They go to the first generation that wrote the day.
    if index == writers.first ?? state.current {
      content.ghosts = try store.ghosts(on: day)
      content.summary.ghostsOutside = content.ghosts.reduce(0) {
        let (sum, overflows) = $0.addingReportingOverflow($1.touches)
        return overflows ? .max : sum
      }
    }
    return content
  }

  private func sessions(
    of day: Day, _ index: Int, _ writers: [Int]
  ) throws -> DayContent? {
    if state.generations.count == 1 { return try store.content(of: day) }
    if let content = try store.content(of: day, sessions: state.generations[index].sessions) {
      return content
    }
    // Only the sums of the whole day remain in the store.
    guard writers.count <= 1 else { return nil }
    return index == writers.first ?? state.current
      ? try store.content(of: day) : DayContent(summary: DaySummary(day: day))
  }
}
