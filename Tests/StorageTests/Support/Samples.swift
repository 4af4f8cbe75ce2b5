import TestSupport
import Testing
import TouchModel

@testable import Storage

let hour: Int64 = 3_600_000
let dayLength: Int64 = 24 * hour
/// 2024-05-01 00:00 UTC.
let mayFirst: Int64 = 1_714_521_600_000

/// The calendar of UTC, so that tests do not depend on the machine's time zone.
let utc: @Sendable (WallTime) -> Day = { Day($0, by: LocalClock { _ in 0 }) }

func options() -> StoreOptions {
  StoreOptions(busyMilliseconds: 200, clock: { LocalClock { _ in 0 } })
}

func key(
  _ screen: String = "menu", display: String = "HDMI-A-1", _ geometry: DisplayGeometry? = nil
) throws -> GridKey {
  GridKey(display: display, screen: screen, geometry: try geometry ?? defaultGeometry())
}

private func defaultGeometry() throws -> DisplayGeometry { try geometry(64, 48) }

func placement(_ key: GridKey, device: String = "usb-1", matrix: String = "1 0 0 0 1 0") throws
  -> Placement
{
  Placement(
    device: device, x: .init(minimum: -7, maximum: 4095), y: .init(minimum: 0, maximum: 2047),
    rangeSource: .kernel, matrix: try #require(CalibrationMatrix(matrix)), matrixSource: .udev,
    display: key.display, geometry: key.geometry, displaySource: .drm,
    geometrySource: .configuration)
}

func counters(_ key: GridKey, _ values: [Int: UInt64]) -> Counters {
  var counters = Counters(count: key.geometry.columns * key.geometry.rows)
  for (index, value) in values { counters[index] = value }
  return counters
}

/// Returns a session with one screen, consistent totals and the given taps.
func record(
  _ id: Int64, began: Int64 = mayFirst, end: SessionEnd? = .idle, taps: [Int: UInt64] = [0: 1],
  _ view: GridKey? = nil
) throws -> SessionRecord {
  let view = try view ?? key()
  let taps = counters(view, taps)
  var totals = SessionTotals()
  totals.counted = taps.sum
  totals.masked = 2
  totals.begun = taps.sum + 2
  return SessionRecord(
    id: id, began: WallTime(milliseconds: began), lastActive: WallTime(milliseconds: began + 5000),
    end: end, tags: ["build": "1.4"], totals: totals,
    changedViews: [
      ScreenView(
        key: view, shownMilliseconds: 4000, touches: taps.sum, placements: [try placement(view)])
    ],
    changedGrids: [Grid(key: view, layer: .taps, counters: taps)])
}

/// Sorts views, grids and counts like `Store.session`.
func ordered(_ record: SessionRecord) -> SessionRecord {
  var record = record
  record.changedViews.sort { GridKey.isBefore($0.key, $1.key) }
  record.changedGrids.sort {
    $0.key == $1.key
      ? $0.layer.rawValue < $1.layer.rawValue : GridKey.isBefore($0.key, $1.key)
  }
  record.changedCounts.sort { CountSubject.isBefore($0.subject, $1.subject) }
  record.changedGrids = record.changedGrids.map { grid in
    Grid(key: grid.key, layer: grid.layer, counters: grid.counters.narrowed())
  }
  return record
}
