internal import Text
internal import TouchModel

/// Applies masks, widened to whole screens while the place of a panel's touches is uncertain.
extension Capture {
  /// Replaces the masks of the configuration and of clients.
  /// - Parameters:
  ///   - masks: if there are more than `Masks.limit`, every screen is masked.
  ///   - moment: the time at which they take effect; nil: as if they had always been in force.
  func setMasks(_ masks: [Mask], at moment: Moment?) {
    requestedMasks = masks
    applyMasks(at: moment)
  }

  /// Passes the requested masks to the recorder, with the whole-screen masks that the current
  /// placements require.
  func applyMasks(at moment: Moment?) {
    let widened = Masks.widened(requestedMasks, by: panels.keys.sorted().map(uncertainty))
    let asked = Masks(requestedMasks, widened: widened, coverEverything: masksEverything)
    // The configuration and the clients may each add `Masks.shareLimit` masks, which is half of
    // `Masks.limit`.
    hasTooManyMasks = asked == nil
    let masks = asked ?? .everything
    if hasTooManyMasks {
      log.error(
        .daemon,
        "there are more than \(Masks.limit) masks, so every screen is masked; remove some")
    }
    let former = widenedMasks
    widenedMasks = widened
    if let moment {
      recorder.setMasks(masks, at: moment)
    } else {
      recorder.masks = masks
    }
    if widened != former { report(widened, since: former) }
  }

  /// Returns which facts of a device's placement are only guesses.
  private func uncertainty(of device: SessionRecorder.DeviceIndex) -> PlacementUncertainty {
    let placement = recorder.placement(of: device)
    return PlacementUncertainty(
      display: placement.display,
      isPlaceGuessed: placement.geometrySource == .guess
        || ranges(of: device).map(wrongRanges.contains) == true,
      alternatives: alternatives[device] ?? .all)
  }

  /// Widens masks once a panel has sent values far outside of its ranges: all its touches are
  /// misplaced then.
  func checkRanges(at moment: Moment) {
    examinedTouches = recorder.clampedTouches
    let wrong = panels.keys.compactMap { device -> Ranges? in
      let extent = recorder.tally(of: device).clampedExtent
      return ranges(of: device).flatMap {
        WrongRange.all(x: $0.x, y: $0.y, sent: extent).isEmpty ? nil : $0
      }
    }
    guard !wrongRanges.isSuperset(of: wrong) else { return }
    wrongRanges.formUnion(wrong)
    applyMasks(at: moment)
  }

  private func ranges(of device: SessionRecorder.DeviceIndex) -> Ranges? {
    let placement = recorder.placement(of: device)
    return panels[device].map { Ranges(panel: $0.key, x: placement.x, y: placement.y) }
  }

  private func report(_ widened: [Mask], since former: [Mask]) {
    for display in Set((widened + former).compactMap(\.display)).sorted()
    where placements[display] != nil {
      let screens = widened.filter { $0.display == display }.map(\.screen)
      guard screens != former.filter({ $0.display == display }).map(\.screen) else { continue }
      let name = display.printable()
      if screens.isEmpty {
        log.info(
          .daemon, kind: "widened",
          "display \(name): masks no longer cover whole screens, because the display is now known, "
            + "or has no masks")
      } else {
        let some = screens.prefix(5).map { $0.printable() }.joined(separator: ", ")
        let rest = screens.count > 5 ? " and \(screens.count - 5) more" : ""
        log.warning(
          .daemon, kind: "widened",
          "it is uncertain where touches of display \(name) lie, so these screens are masked as a "
            + "whole: \(some)\(rest). To mask only the rectangles, set width and height in "
            + "[[display]], display in [[device]], and the ranges that \"touchgrid doctor\" names")
      }
    }
  }
}
