package import Text
package import TouchModel

extension API {
  /// What one touchscreen sensed in the sessions of one day, in its own raw axes. A device whose
  /// axes change is another panel.
  ///
  /// A panel is divided into 64 vertical lines and 48 horizontal ones of equal width. Line 0 is at
  /// the minimum of the axis.
  package struct Panel: Codable, Hashable, Sendable {
    /// The day on which the sessions began, in the kiosk's local calendar: `YYYY-MM-DD`.
    package var day: String
    /// The key of the device.
    package var device: String
    /// The name that the device gives itself; nil if it is not connected.
    package var name: String?
    /// The range of the x axis.
    package var x: Range
    /// The range of the y axis.
    package var y: Range
    /// Raw units per millimetre on each axis; nil if the device does not say.
    package var xPerMm: Int64?
    package var yPerMm: Int64?
    /// The sessions that touched the panel.
    package var sessions: Int64
    /// The contacts that began in each of 64 x 48 cells, row by row.
    package var touchDowns: [Int64]
    /// For each of the 64 vertical lines and then of the 48 horizontal ones. `PanelCounts` has the
    /// rules of this and of all that follows.
    package var crossed: [Int64]
    package var skipped: [Int64]
    package var pairs: [Int64]
    /// 16 bins.
    package var intervals: [Int64]
    /// For each of 8 x 6 zones, row by row.
    package var restingReports: [Int64]
    package var restingSquares: [Int64]
    /// For each hour in UTC.
    package var short: [Int64]
    package var ghosts: [Int64]

    /// Creates the value from the model's sums.
    package init(_ panel: SummedPanel, name: String?) {
      (day, device, self.name) = (panel.day, panel.key.device, name)
      (x, xPerMm) = Self.axis(panel.key.x)
      (y, yPerMm) = Self.axis(panel.key.y)
      sessions = Int64(clamping: panel.sessions)
      let parts = panel.counts.parts
      (touchDowns, crossed, skipped, pairs) = (
        parts.touchDowns, parts.crossed, parts.skipped, parts.pairs
      )
      (intervals, short, ghosts) = (parts.intervals, parts.short, parts.ghosts)
      (restingReports, restingSquares) = (parts.restingReports, parts.restingSquares)
    }

    private static func axis(_ axis: PanelAxis) -> (Range, Int64?) {
      (
        Range(minimum: Int64(axis.minimum), maximum: Int64(axis.maximum)),
        axis.resolution == 0 ? nil : Int64(axis.resolution)
      )
    }

    /// The model's sums; nil if they contradict each other.
    package var summed: SummedPanel? {
      func axis(_ range: Range, _ perMm: Int64?) -> PanelAxis? {
        guard let minimum = Int32(exactly: range.minimum),
          let maximum = Int32(exactly: range.maximum), let resolution = Int32(exactly: perMm ?? 0)
        else { return nil }
        return PanelAxis(minimum: minimum, maximum: maximum, resolution: resolution)
      }
      var parts = PanelCounts.Parts()
      (parts.touchDowns, parts.crossed, parts.skipped, parts.pairs) = (
        touchDowns, crossed, skipped, pairs
      )
      (parts.intervals, parts.short, parts.ghosts) = (intervals, short, ghosts)
      (parts.restingReports, parts.restingSquares) = (restingReports, restingSquares)
      guard let x = axis(x, xPerMm), let y = axis(y, yPerMm), x.isPossible, y.isPossible,
        let sessions = UInt64(exactly: sessions),
        let counts = PanelCounts(parts), counts.isPlausible
      else { return nil }
      return SummedPanel(
        day: day, key: PanelKey(device: device, x: x, y: y), sessions: sessions, counts: counts)
    }
  }
}

extension API.Panel: JSONWritable {
  /// Writes the same JSON as the encoder derived from `Codable`, only faster. A test compares the
  /// two.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      func list(_ name: String, _ list: [Int64]) {
        json.member(name)
        json.value(list)
      }
      func number(_ name: String, _ number: Int64?) {
        guard let number else { return }
        json.member(name)
        json.value(number)
      }
      func range(_ name: String, _ range: API.Range) {
        json.member(name)
        json.object { json in
          json.member("maximum")
          json.value(range.maximum)
          json.member("minimum")
          json.value(range.minimum)
        }
      }
      list("crossed", crossed)
      json.member("day")
      json.value(day)
      json.member("device")
      json.value(device)
      list("ghosts", ghosts)
      list("intervals", intervals)
      if let name {
        json.member("name")
        json.value(name)
      }
      list("pairs", pairs)
      list("restingReports", restingReports)
      list("restingSquares", restingSquares)
      number("sessions", sessions)
      list("short", short)
      list("skipped", skipped)
      list("touchDowns", touchDowns)
      range("x", x)
      number("xPerMm", xPerMm)
      range("y", y)
      number("yPerMm", yPerMm)
    }
  }
}

extension API.GetPanels.Reply: JSONWritable {
  /// Writes the same JSON as the encoder derived from `Codable`, only faster.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("panels")
      json.array { json in
        for panel in panels { panel.write(to: &json) }
      }
    }
  }
}
