package import Text
internal import TouchModel

// Ten fingers cause about a thousand touches per second for each watching client. The encoder
// derived from `Codable` would take too long for these.

extension API.WatchTouches.Reply: JSONWritable {
  /// Writes the same JSON as the encoder derived from `Codable`, only faster. A test compares the
  /// two.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("atUs")
      json.value(atUs)
      if let displays {
        json.member("displays")
        json.value(displays)
      }
      if let masks {
        json.member("masks")
        json.value(masks)
      }
      json.member("touches")
      json.array { json in
        for touch in touches { touch.write(to: &json) }
      }
    }
  }
}

extension API.Touch: JSONWritable {
  /// Writes the same JSON as the encoder derived from `Codable`, only faster.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("block")
      json.object { json in
        json.member("column")
        json.value(Int64(block.column))
        json.member("row")
        json.value(Int64(block.row))
      }
      if let cancellation {
        json.member("cancellation")
        json.value(cancellation.rawValue)
      }
      json.member("device")
      json.value(device)
      json.member("display")
      json.value(display)
      json.member("id")
      json.value(id)
      json.member("phase")
      json.value(phase.rawValue)
      json.member("point")
      point.write(to: &json)
      json.member("preexisting")
      json.value(preexisting)
      if let previous {
        json.member("previous")
        previous.write(to: &json)
      }
      json.member("screen")
      json.value(screen)
    }
  }
}

extension API.Point: JSONWritable {
  /// Writes the same JSON as the encoder derived from `Codable`, only faster.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("x")
      json.value(x)
      json.member("y")
      json.value(y)
    }
  }
}
