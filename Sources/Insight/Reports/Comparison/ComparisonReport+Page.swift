internal import Heatmaps
internal import Text
internal import TouchModel

extension ComparisonReport {
  /// The comparison for the page of a report, in which B is the time that the report covers and A
  /// the one before. `docs/report.md` documents the members.
  var page: JSONValue {
    [
      "before": .string(a.words), "level": .real(level), "controls": controls.json,
      "screens": .array(screens.map(\.page)),
      "onlyBefore": .array(onlyA.map { .string($0.screen) }),
      "onlyNow": .array(onlyB.map { .string($0.screen) }),
    ]
  }
}

extension ScreenComparison {
  fileprivate var page: JSONValue {
    let cells = discoveries.prefix(ComparisonText.maximumRows).map { cell, test, q -> JSONValue in
      let interval = test.interval(confidence: Self.confidence)
      return [
        "x": .real(cell.left), "y": .real(cell.top), "blocks": .integer(Int64(cell.blocks.count)),
        "before": .real(cell.a.mean), "now": .real(cell.b.mean),
        "low": .real(interval.lowerBound), "high": .real(interval.upperBound), "q": .real(q),
      ]
    }
    return [
      "screen": .string(a.key.screen), "display": .string(a.key.display),
      "geometry": a.key.geometry.json,
      "sessionsBefore": .integer(a.sessions), "sessionsNow": .integer(b.sessions),
      "compared": .integer(Int64(result.compared)),
      "differences": .integer(Int64(discoveries.count)), "cells": .array(Array(cells)),
    ]
  }
}
