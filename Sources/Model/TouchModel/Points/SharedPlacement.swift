/// The placement of a device, and the lines of its panel. All touches that begin while both are valid
/// share this object, because a touch is copied often and reads them for each sample.
final class SharedPlacement: Sendable {
  let placement: Placement
  let locator: Locator
  let lines: PanelLines

  init(_ placement: Placement, lines: PanelLines) {
    self.placement = placement
    locator = Locator(placement)
    self.lines = lines
  }
}
