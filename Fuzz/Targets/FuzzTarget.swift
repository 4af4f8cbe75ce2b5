/// A parser of untrusted bytes. Its raw value is the name of its folder in `Corpus`.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case varlinkServer = "varlink-server"
  case varlinkClient = "varlink-client"
  case configuration, evemu, libinput
  case storeValues = "store-values"
  case storeFile = "store-file"
  case storeRecovery = "store-recovery"
  case events, track, values
  case screenNames = "screen-names"
  case followConfiguration = "follow-configuration"
  case shown
  case dayObjects = "day-objects"
  case picture

  /// Runs the parser on an input. Ends the process if an invariant does not hold.
  public func run(_ bytes: [UInt8]) {
    switch self {
    case .varlinkServer: fuzzServer(bytes)
    case .varlinkClient: fuzzClient(bytes)
    case .configuration: fuzzConfiguration(bytes)
    case .evemu, .libinput: fuzzRecording(bytes)
    case .storeValues: fuzzStoreValues(bytes)
    case .storeFile: fuzzStoreFile(bytes)
    case .storeRecovery: fuzzStoreRecovery(bytes)
    case .events: fuzzEvents(bytes)
    case .track: fuzzTrack(bytes)
    case .values: fuzzValues(bytes)
    case .screenNames: fuzzScreenNames(bytes)
    case .followConfiguration: fuzzFollowConfiguration(bytes)
    case .shown: fuzzShown(bytes)
    case .dayObjects: fuzzDayObjects(bytes)
    case .picture: fuzzPicture(bytes)
    }
  }
}

/// Ends the process if a condition does not hold, in optimised builds too.
func must(_ holds: Bool, _ sentence: @autoclosure () -> String) {
  if !holds { fatalError(sentence()) }
}
