package import Text
internal import TouchModel

// The grids of a kiosk with ten screens have a hundred thousand numbers. The encoder derived from
// `Codable` would take too long for these.

extension API.GetGrids.Reply: JSONWritable {
  /// Writes the same JSON as the encoder derived from `Codable`, only faster. A test compares the
  /// two.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("grids")
      json.array { json in
        for grid in grids { grid.write(to: &json) }
      }
    }
  }
}

extension API.Grid: JSONWritable {
  /// Writes the same JSON as the encoder derived from `Codable`, only faster.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("days")
      json.value(days)
      json.member("display")
      json.value(display)
      json.member("geometry")
      json.value(geometry)
      json.member("layer")
      json.value(layer.rawValue)
      json.member("masks")
      json.value(masks)
      json.member("mean")
      json.value(mean)
      json.member("screen")
      json.value(screen)
      if let sessionCounts {
        json.member("sessionCounts")
        json.array { json in
          for count in sessionCounts { count.write(to: &json) }
        }
      }
      json.member("sessions")
      json.value(sessions)
      json.member("shownMs")
      json.value(shownMs)
      json.member("sum")
      json.value(sum)
      json.member("sumOfSquares")
      json.value(sumOfSquares)
      if let sumOfSquaresHigh {
        json.member("sumOfSquaresHigh")
        json.value(sumOfSquaresHigh)
      }
      json.member("touchedSessions")
      json.value(touchedSessions)
      json.member("touches")
      json.value(touches)
      if let variance {
        json.member("variance")
        json.value(variance)
      }
    }
  }
}

extension API.SessionCount: JSONWritable {
  /// Writes the same JSON as the encoder derived from `Codable`, only faster.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("block")
      json.value(Int64(block))
      json.member("count")
      json.value(count)
      json.member("session")
      json.value(session)
    }
  }
}
