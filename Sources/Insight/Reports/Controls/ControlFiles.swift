internal import Heatmaps
package import Text
internal import TouchModel

/// The results of controls as JSON and as comma-separated values; `docs/controls.md` documents the
/// members and columns.
extension ScreenControlResults {
  /// - Parameters:
  ///   - all: the results of all screens.
  ///   - of: the selected sessions.
  package static func json(_ all: [ScreenControlResults], of: JSONValue) -> JSONValue {
    [
      "format": "touchgrid-controls", "version": .integer(1), "of": of,
      "screens": .array(all.map(\.json)),
    ]
  }

  private var json: JSONValue {
    let place: [JSONValue.Member] = [
      .init(name: "screen", value: .string(key.screen)),
      .init(name: "display", value: .string(key.display)),
      .init(name: "geometry", value: key.geometry.json),
    ]
    return .object(place + layout)
  }

  /// The members without the screen.
  var layout: [JSONValue.Member] {
    let members: [(String, JSONValue)] = [
      ("pointMm", .real(set.pointSize)),
      ("sessions", .integer(summed.sessions)),
      ("screenSessions", .integer(summed.view.sessions)),
      ("screenTouches", .integer(summed.view.touches)),
      ("notes", .array(notes.map { .string($0) })), ("controls", .array(results.map(\.json))),
    ]
    return members.map { JSONValue.Member(name: $0.0, value: $0.1) }
  }

  package static func csv(_ all: [ScreenControlResults]) -> [UInt8] {
    let first = ControlResult.Column.allCases.map(\.rawValue).joined(separator: ",")
    var text = "screen,name,\(first),display,geometry,point_mm,screen_sessions\n"
    for screen in all {
      for result in screen.results {
        let fields =
          [GridCSV.field(screen.key.screen), GridCSV.field(result.control.name)]
          + ControlResult.Column.allCases.map { result[$0] ?? "" } + [
            GridCSV.field(screen.key.display), screen.key.geometry.text,
            JSONValue.real(screen.set.pointSize).text, "\(screen.summed.view.sessions)",
          ]
        text += fields.joined(separator: ",") + "\n"
      }
    }
    return Array(text.utf8)
  }
}

extension ControlResult {
  /// The columns of the file of comma-separated values between the control's name and the display.
  enum Column: String, CaseIterable {
    case x, y, width, height, verdict, hits, missed
    case nearMisses = "near_misses"
    case retried
    case hitShare = "hit_share"
    case hitShareLow = "hit_share_low"
    case hitShareHigh = "hit_share_high"
    case offsetX = "offset_x_mm"
    case offsetY = "offset_y_mm"
    case deviationX = "sd_x_mm"
    case deviationY = "sd_y_mm"
    case sessions
    case rageRuns = "rage_runs"
    case rageTaps = "rage_taps"
    case rageSessions = "rage_sessions"
    case responses
    case withoutResponse = "without_response"
    case medianResponse = "median_response_ms"
    case outOfReach = "out_of_reach"
    case growLeft = "grow_left_mm"
    case growRight = "grow_right_mm"
    case growTop = "grow_top_mm"
    case growBottom = "grow_bottom_mm"
    case grownShare = "grown_hit_share"
  }

  /// - Returns: nil if there is no value.
  fileprivate subscript(column: Column) -> String? {
    func real(_ value: Double?) -> String? { value.map { JSONValue.real($0).text } }
    let edges = control.rectangle
    return switch column {
    case .x: real(edges.x)
    case .y: real(edges.y)
    case .width: real(edges.width)
    case .height: real(edges.height)
    case .verdict: verdict.rawValue
    case .hits: "\(sums.hits.count)"
    case .missed: real(missed)
    case .nearMisses: "\(sums.nearMisses.count)"
    case .retried: sums.hasPlaces ? "\(sums.retried)" : nil
    case .hitShare: real(hitShare?.value)
    case .hitShareLow: real(hitShare?.low)
    case .hitShareHigh: real(hitShare?.high)
    case .offsetX: real(aim?.x)
    case .offsetY: real(aim?.y)
    case .deviationX: real(aim?.deviationX)
    case .deviationY: real(aim?.deviationY)
    case .sessions: "\(sums.sessions)"
    case .rageRuns: control.countsRage ? "\(sums.rageRuns)" : nil
    case .rageTaps: control.countsRage ? "\(sums.rageTaps)" : nil
    case .rageSessions: control.countsRage ? "\(sums.rageSessions)" : nil
    case .responses: responses.map { "\($0.touches)" }
    case .withoutResponse: responses.map { "\($0.without)" }
    case .medianResponse: real(responses?.medianMilliseconds)
    case .outOfReach: real(outOfReach)
    case .growLeft: real(remedy?.growth[0])
    case .growRight: real(remedy?.growth[1])
    case .growTop: real(remedy?.growth[2])
    case .growBottom: real(remedy?.growth[3])
    case .grownShare: real(remedy?.hitShare.value)
    }
  }

  fileprivate var json: JSONValue {
    func real(_ value: Double?) -> JSONValue { value.map { .real($0) } ?? .null }
    func rage(_ number: Int64) -> JSONValue { control.countsRage ? .integer(number) : .null }
    func json(_ share: Share) -> JSONValue {
      ["value": .real(share.value), "low": .real(share.low), "high": .real(share.high)]
    }
    let share = hitShare.map(json)
    let aim = aim.map { aim -> JSONValue in
      [
        "xMm": .real(aim.x), "yMm": .real(aim.y), "xErrorMm": .real(aim.errorX),
        "yErrorMm": .real(aim.errorY), "xDeviationMm": .real(aim.deviationX),
        "yDeviationMm": .real(aim.deviationY),
      ]
    }
    let remedy = remedy.map { remedy -> JSONValue in
      [
        "words": .string(remedy.words), "leftMm": .real(remedy.growth[0]),
        "rightMm": .real(remedy.growth[1]), "topMm": .real(remedy.growth[2]),
        "bottomMm": .real(remedy.growth[3]), "hitShare": json(remedy.hitShare),
        "hasRoom": .bool(remedy.blocked.isEmpty),
      ]
    }
    return [
      "name": .string(control.name), "verdict": .string(verdict.rawValue),
      "advice": .string(advice),
      "rectangle": control.rectangle.json,
      "widthMm": .real(size.width), "heightMm": .real(size.height),
      "hits": .integer(sums.hits.count), "nearMisses": .integer(sums.nearMisses.count),
      "expectedByChance": [
        "hits": .real(background.hits), "nearMisses": .real(background.nearMisses),
      ],
      "missed": .real(missed), "retried": sums.hasPlaces ? .integer(sums.retried) : .null,
      "beside": sums.hasPlaces
        ? .array(sums.beside.map { .array($0.map { .integer($0) }) }) : .null,
      "hitShare": share ?? .null, "aim": aim ?? .null,
      "hitShareTwoMmLarger": real(larger?.two), "hitShareFourMmLarger": real(larger?.four),
      "hitShareAtTwentyMm": real(atTwentyMillimetres), "remedy": remedy ?? .null,
      "outOfReach": real(outOfReach), "shortOf": shortOf.map { .string($0) } ?? .null,
      "sessions": .integer(sums.sessions), "rageRuns": rage(sums.rageRuns),
      "rageTaps": rage(sums.rageTaps), "rageSessions": rage(sums.rageSessions),
      "responses": responses.map { found -> JSONValue in
        [
          "touches": .integer(found.touches), "without": .integer(found.without),
          "medianMs": real(found.medianMilliseconds),
          "bins": .array(sums.responses.map { .integer($0) }),
        ]
      } ?? .null,
    ]
  }
}

extension Rectangle {
  var json: JSONValue {
    ["x": .real(x), "y": .real(y), "width": .real(width), "height": .real(height)]
  }
}
