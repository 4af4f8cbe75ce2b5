/// The output of `touchgridd --check --json` for a valid configuration.
package struct CheckedConfiguration: Codable, Hashable, Sendable {
  package var masks: [API.Mask]
  /// Whether every touch is masked, because there is no configuration file.
  package var masksEverything: Bool

  package init(masks: [API.Mask], masksEverything: Bool) {
    self.masks = masks
    self.masksEverything = masksEverything
  }

  /// Returns whether any part of a screen is masked.
  package func masks(screen: String) -> Bool {
    masksEverything || masks.contains { $0.screen == screen }
  }
}
