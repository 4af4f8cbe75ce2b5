extension Unicode.Scalar {
  /// Moves no cursor, starts no line and turns no text around.
  var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned: false
    default: true
    }
  }
}

extension String {
  /// With `\u{…}` in place of what could upset a terminal.
  var withoutControls: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isPrintable {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return text
  }

  /// In quotes, fit for a message: long text is cut off.
  var quoted: String {
    let limit = 80
    let start = unicodeScalars.prefix(limit)
    return
      "\"\(String(start).withoutControls)\(start.endIndex < unicodeScalars.endIndex ? "…" : "")\""
  }
}
