import TouchModel

/// The rules of sessions as the design tells them, on a plain list of everything that happened.
struct NaiveBooks {
  struct Touch {
    var session: Int64?
    var began: Timestamp
    var display: String
    var block: Int
    /// On both clocks.
    var ended: Moment?
    var settles: Timestamp?
    var isPalm = false
    var isCancelled = false
    var isPreexisting = false
    /// Settled while its session could still take it.
    var isCounted = false
    var isSettled: Bool { isPalm || settled }
    var settled = false
    /// What was showing when it began, as far as was known when it settled.
    var screen = ""
  }

  struct Session {
    var id: Int64
    var began: Moment
    var end: (reason: SessionEnd, at: Timestamp)?
    var isClosed = false
    var drops: UInt64 = 0
    var totalsAtClose = SessionTotals()
  }

  let rules: SessionRules
  var touches: [Touch] = []
  var sessions: [Session] = []
  var names: [(time: Timestamp, name: String)] = []
  var unrecorded = 0

  init(rules: SessionRules) { self.rules = rules }

  var current: Int? { sessions.indices.last.flatMap { sessions[$0].end == nil ? $0 : nil } }

  func screen(at time: Timestamp) -> String {
    var latest: (time: Timestamp, name: String)?
    for change in names where change.time <= time {
      if let known = latest, change.time < known.time { continue }
      latest = change
    }
    return latest?.name ?? "default"
  }

  mutating func begin(_ touch: Touch, at now: Moment) -> Int {
    settle(now)
    endIfIdle(now)
    var touch = touch
    if current == nil, rules.mode == .automatic, !touch.isPalm { open(now) }
    touch.session = current.map { sessions[$0].id }
    if touch.session == nil { unrecorded += 1 }
    touches.append(touch)
    return touches.count - 1
  }

  mutating func end(_ index: Int, cancellation: Cancellation?, at now: Moment) {
    touches[index].isPalm = cancellation == .palm
    touches[index].isCancelled = cancellation != nil && cancellation != .palm
    touches[index].ended = now
    let late = touches[index].began + rules.lateNames
    let wait = max(0, late - now.monotonic)
    touches[index].settles = now.boottime + wait
  }

  mutating func open(_ now: Moment) {
    sessions.append(Session(id: Int64(sessions.count) + 1, began: now))
  }

  mutating func end(_ reason: SessionEnd, at now: Moment) {
    guard let current else { return }
    sessions[current].end = (reason, now.boottime)
    close(now)
  }

  mutating func advance(_ now: Moment) {
    settle(now)
    endIfIdle(now)
    if let current, rules.mode == .automatic,
      now.boottime - sessions[current].began.boottime >= rules.maxDuration
    {
      end(.maxDuration, at: now)
    }
    close(now)
  }

  mutating func stop(_ now: Moment) {
    for index in touches.indices where touches[index].ended != nil { settle(index) }
    end(.stopped, at: now)
    for index in sessions.indices where !sessions[index].isClosed { close(index) }
  }

  private mutating func settle(_ now: Moment) {
    for index in touches.indices {
      if let settles = touches[index].settles, settles <= now.boottime { settle(index) }
    }
  }

  private mutating func settle(_ index: Int) {
    guard !touches[index].settled else { return }
    touches[index].settled = true
    touches[index].screen = screen(at: touches[index].began)
    let session = sessions.first { $0.id == touches[index].session }
    touches[index].isCounted = session?.isClosed == false && !touches[index].isPalm
  }

  private func members(_ id: Int64) -> [Touch] { touches.filter { $0.session == id } }

  private mutating func endIfIdle(_ now: Moment) {
    guard let current, rules.mode == .automatic else { return }
    let members = members(sessions[current].id)
    guard members.allSatisfy(\.isSettled) else { return }
    let signs = members.filter { !$0.isPalm }.compactMap { $0.ended?.boottime }
    let last = max(sessions[current].began.boottime, signs.max() ?? .zero)
    guard now.boottime - last >= rules.idleTimeout else { return }
    sessions[current].end = (.idle, last)
    close(now)
  }

  private mutating func close(_ now: Moment) {
    for index in sessions.indices where !sessions[index].isClosed {
      guard let end = sessions[index].end else { continue }
      let isDrained = members(sessions[index].id).allSatisfy(\.isSettled)
      if isDrained || now.boottime - end.at >= 5_000_000 + rules.lateNames { close(index) }
    }
  }

  private mutating func close(_ index: Int) {
    let members = members(sessions[index].id)
    func count(_ isOne: (Touch) -> Bool) -> UInt64 { UInt64(members.filter(isOne).count) }
    var totals = SessionTotals()
    totals.begun = UInt64(members.count)
    totals.counted = count(\.isCounted)
    totals.palms = count(\.isPalm)
    totals.stillDown = count { !$0.isSettled }
    totals.cancelled = count(\.isCancelled)
    totals.preexisting = count(\.isPreexisting)
    totals.drops = sessions[index].drops
    sessions[index].totalsAtClose = totals
    sessions[index].isClosed = true
  }
}
