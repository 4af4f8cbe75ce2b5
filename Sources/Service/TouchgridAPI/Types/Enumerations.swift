public import TouchModel

// The values of the interface's enumerations are those of the model.

extension API {
  /// The phase of a touch in a frame: it began, moved, stayed where it was, ended, or was
  /// cancelled.
  public typealias Phase = TouchModel.Phase
  /// The reason why a touch was cancelled.
  public typealias Cancellation = TouchModel.Cancellation
  /// The source of a value about a device or a display, such as udev or the configuration.
  public typealias Source = TouchModel.Source
  /// Whether the first touch begins a session (`automatic`), or only clients do (`manual`).
  public typealias SessionMode = SessionRules.Mode
  /// The reason why a session ended.
  public typealias SessionEnd = TouchModel.SessionEnd
  /// The quantity that a grid counts: `taps`, `trail` or `dwell`.
  public typealias Layer = TouchModel.Layer
  /// Whether the touchscreens are in use (`active`) or have not been touched for a while (`idle`).
  public typealias ActivityState = Activity.State

  /// The form in which a device reports its contacts.
  public enum ContactProtocol: String, CaseIterable, Codable, Sendable {
    /// `slots`: in numbered slots, multitouch protocol B. `anonymous`: several contacts without
    /// numbers, multitouch protocol A. `single`: one contact.
    case slots, anonymous, single

    /// Creates the value from the model's kind.
    package init(_ kind: TouchModel.ContactProtocol.Kind) {
      switch kind {
      case .slots: self = .slots
      case .anonymous: self = .anonymous
      case .single: self = .single
      }
    }
  }
}

extension TouchModel.Phase: Codable {}
extension TouchModel.Cancellation: Codable {}
extension TouchModel.Source: Codable {}
extension SessionRules.Mode: Codable {}
extension TouchModel.SessionEnd: Codable {}
extension TouchModel.Layer: Codable {}
