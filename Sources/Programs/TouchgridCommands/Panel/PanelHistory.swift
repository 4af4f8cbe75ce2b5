import Reports
import Storage
import Text
import TouchModel
import TouchgridAPI

/// The daily counts of the kiosk that help to judge its panels.
struct PanelHistory {
  private struct KioskDay {
    var number: Int
    var sessions: [UInt64]
    var masked: UInt64
    /// The number of counted touches; nil if unknown.
    var counted: UInt64?
  }

  /// The age in days from which layouts are not read. `TouchDownWatch` considers 146 days with
  /// touches.
  private static let layoutDays: Int64 = 200

  /// The days with sessions, by their date.
  private var kioskDays: [String: KioskDay] = [:]
  /// The suspected ghosts of all panels outside of sessions, by the number of their day.
  private var strayGhosts: [Int: [API.GhostPlace]] = [:]
  private var layouts: [String: String] = [:]
  /// The offsets of controls, by day and display.
  private var offsets: [String: [String: [ControlOffset]]] = [:]
  /// The day for which panels are judged, and the number of its hours that have passed; nil if
  /// there are no days.
  private var end: (number: Int, hoursOver: Int)?

  /// The display of all counted controls; nil if there are several, or none.
  var onlyDisplay: String? {
    let displays = Set(offsets.values.flatMap(\.keys))
    return displays.count == 1 ? displays.first : nil
  }

  init(_ past: Past, in span: TimeSpan, layoutTag: String, now: WallTime) throws {
    for day in try past.days(in: span) {
      guard let number = PanelDay.number(of: day.day) else { continue }
      if day.ghostsOutside > 0, let date = Day(day.day) {
        strayGhosts[number] = try past.ghosts(on: date)
      }
      guard day.sessions > 0 else { continue }
      kioskDays[day.day] = KioskDay(
        number: number, sessions: Self.hours(of: day),
        masked: UInt64(clamping: day.totals?.masked ?? 0),
        counted: day.totals.map { UInt64(clamping: $0.counted) })
    }
    end = Self.end(of: past, in: span, kioskDays.values.map(\.number), now: now)
    layouts = try Self.layouts(past, in: span, tag: layoutTag, lastDay: kioskDays.keys.max())
    offsets = try Self.offsets(past, in: span, on: kioskDays.keys.sorted())
  }

  /// The number of sessions that began in each hour.
  private static func hours(of day: API.Day) -> [UInt64] {
    if let hours = day.hours, hours.count == 24 { return hours.map { UInt64(clamping: $0) } }
    // The hours of deleted sessions are unknown. Any hour shows that the day was not silent.
    var hours = Array(repeating: UInt64(0), count: 24)
    hours[12] = UInt64(clamping: day.sessions)
    return hours
  }

  /// With a daemon, panels are judged as of now, so that a silence shows. A store's file may be an
  /// old copy, so its panels are judged as of its last day.
  private static func end(
    of past: Past, in span: TimeSpan, _ days: [Int], now: WallTime
  ) -> (number: Int, hoursOver: Int)? {
    let until = span.until.map { WallTime(milliseconds: $0.milliseconds - 1) } ?? now
    guard let end = PanelDay.number(of: Day(local: min(until, now)).text) else { return nil }
    guard case .daemon = past else {
      // Leave out days in the future, which a wrong clock may have caused.
      let over = days.filter { $0 <= end }
      return (over.isEmpty ? days : over).max().map { (number: $0, hoursOver: 24) }
    }
    return (end, until < now ? 24 : Day.localHour(of: now))
  }

  /// The value of a tag on each day on which all sessions had the same value.
  private static func layouts(
    _ past: Past, in span: TimeSpan, tag: String, lastDay: String?
  ) throws -> [String: String] {
    guard let last = lastDay.flatMap(LocalTime.init(day:))?.dayStart else { return [:] }
    let start = WallTime(milliseconds: last.milliseconds - layoutDays * 86_400_000)
    let since = span.since.map { max($0, start) } ?? start
    if let until = span.until, until <= since { return [:] }
    // Check first whether the tag is used: most kiosks do not have it, and reading the sessions of
    // many days takes long.
    if last > since {
      let newest = try past.sessions(in: TimeSpan(since: last, until: span.until))
      if newest.allSatisfy({ $0.record.tags[tag] == nil }) { return [:] }
    }
    var values: [String: Set<String?>] = [:]
    for session in try past.sessions(in: TimeSpan(since: since, until: span.until)) {
      values[Day(local: session.record.began).text, default: []].insert(session.record.tags[tag])
    }
    return values.compactMapValues { $0.count == 1 ? $0.first ?? nil : nil }
  }

  private static func offsets(
    _ past: Past, in span: TimeSpan, on days: [String]
  ) throws -> [String: [String: [ControlOffset]]] {
    struct SetKey: Hashable {
      var key: GridKey
      var set: ControlSet
    }
    func query(_ sessions: GridQuery.Sessions) throws -> [SummedControls] {
      try past.controls(GridQuery(sessions, layer: .taps))
    }
    guard try !query(.span(span)).isEmpty else { return [:] }
    var sets: [SetKey: Int] = [:]
    var offsets: [String: [String: [ControlOffset]]] = [:]
    for text in days {
      guard let day = Day(text) else { continue }
      for summed in try query(.day(day)) {
        let counts = summed.counts
        // Without the size of the display, the distances are unknown in mm.
        guard counts.set.pointSize != ControlSet.assumedPointSize else { continue }
        let number = sets[SetKey(key: counts.key, set: counts.set)] ?? sets.count
        sets[SetKey(key: counts.key, set: counts.set)] = number
        offsets[text, default: [:]][counts.key.display, default: []] += counts.offsets(of: number)
      }
    }
    return offsets
  }

  /// Removes the times of sessions, because they are from several kiosks. Then no silence is
  /// judged.
  mutating func forgetSessions() { kioskDays = [:] }

  /// Returns the suspected ghosts of a panel outside of sessions, by the number of their day.
  func strayGhosts(of key: PanelKey) -> [Int: [API.GhostPlace]] {
    var ghosts: [Int: [API.GhostPlace]] = [:]
    for (day, all) in strayGhosts {
      let own = all.filter { $0.device.hasSameBytes(as: key.device) }
      if !own.isEmpty { ghosts[day] = own }
    }
    return ghosts
  }

  /// Returns the days of a panel, up to the day for which it is judged.
  /// - Parameters:
  ///   - panel: the days on which the panel was touched.
  ///   - countedDays: the days on which any panel was touched.
  ///   - display: the display of this panel alone; nil if unknown.
  ///   - strayGhosts: the ghosts of this panel outside of sessions.
  func days(
    of panel: [SummedPanel], countedDays: Set<String>, offsetsOn display: String?,
    strayGhosts: [Int: [API.GhostPlace]]
  ) -> [PanelDay] {
    var counts: [Int: SummedPanel] = [:]
    for day in panel {
      guard let number = PanelDay.number(of: day.day) else { continue }
      counts[number] = day
    }
    guard let first = counts.keys.min() else { return [] }
    var kiosk: [Int: (text: String, day: KioskDay)] = [:]
    for (text, day) in kioskDays { kiosk[day.number] = (text, day) }
    let last = end?.number
    var numbers = Set(counts.keys).union(kiosk.keys).union(strayGhosts.keys)
    if let last { numbers.insert(last) }
    let judged = numbers.filter { $0 >= first && $0 <= last ?? .max }.sorted()
    return judged.map { number in
      let text = kiosk[number]?.text ?? counts[number]?.day
      var day = PanelDay(
        number: number, counts: counts[number]?.counts ?? PanelCounts(),
        layout: text.flatMap { layouts[$0] }, hoursAhead: text.map(Self.hoursAhead) ?? 0,
        hoursOver: number == last ? end?.hoursOver ?? 24 : 24)
      for ghosts in strayGhosts[number] ?? [] {
        let cell = panel[0].key.cell(ofX: Int32(clamping: ghosts.x), y: Int32(clamping: ghosts.y))
        day.strayGhosts[cell, default: 0] += UInt64(clamping: ghosts.touches)
      }
      if let (text, kiosk) = kiosk[number] {
        (day.sessions, day.masked) = (kiosk.sessions, kiosk.masked)
        // If the day has touches, but no panel has any, the owner has disabled these counts.
        if countedDays.contains(text) || kiosk.counted == 0 { day.touched = 0 }
      }
      if let text, let display { day.offsets = offsets[text]?[display] ?? [] }
      if let sessions = counts[number]?.sessions { day.touched = sessions }
      return day
    }
  }

  /// The difference of this machine's clock from UTC at noon of a day, in hours.
  private static func hoursAhead(_ text: String) -> Int {
    guard let number = PanelDay.number(of: text), var noon = LocalTime(day: text) else { return 0 }
    noon.hour = 12
    guard let wall = noon.wall else { return 0 }
    let ahead = Int64(number) * 86_400 + 12 * 3600 - wall.milliseconds / 1000
    return Int((Double(ahead) / 3600).rounded())
  }
}

extension ControlCounts {
  /// The mean offset of touches from the middle of each control.
  fileprivate func offsets(of number: Int) -> [ControlOffset] {
    self.set.controls.enumerated().compactMap { index, control in
      let (hits, near) = (self[index].hits, self[index].nearMisses)
      let touches = Double(hits.count) + Double(near.count)
      guard touches > 0 else { return nil }
      func mean(_ sum: KeyPath<ControlSums.Scatter, Int64>) -> Double {
        (Double(hits[keyPath: sum]) + Double(near[keyPath: sum])) / touches
      }
      let (right, down) = (mean(\.x), mean(\.y))
      let variance = mean(\.xx) - right * right + mean(\.yy) - down * down
      let (size, edges) = (self.set.pointSize, control.rectangle)
      return ControlOffset(
        control: "\(number) \(control.name)", x: (edges.x + edges.width / 2) * size,
        y: (edges.y + edges.height / 2) * size, touches: Int64(touches), right: right * size,
        down: down * size, spread: max(0, variance / 2).squareRoot() * size)
    }
  }
}
