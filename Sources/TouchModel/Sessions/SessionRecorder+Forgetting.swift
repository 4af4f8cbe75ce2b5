/// Ending sessions that are to be forgotten.
extension SessionRecorder {
  /// Ends the selected sessions at once, without waiting for fingers that are down. These fingers
  /// count for no session from now on. The complete sessions are handed over once more, so that
  /// nothing is lost if they cannot be forgotten.
  /// - Parameter wanted: returns whether to end a session, by its number and the time when it
  ///   began.
  /// - Returns: the number of the next session. All sessions that may be forgotten have lower
  ///   numbers.
  public mutating func giveUpSessions(
    at moment: Moment, where wanted: (_ id: Int64, _ began: WallTime) -> Bool
  ) -> Int64 {
    settle(until: moment.boottime, at: moment)
    while let index = sessions.firstIndex(where: { wanted($0.id, $0.began.wall) }) {
      if sessions[index].ending == nil { sessions[index].ending = (.client, moment) }
      closeSession(index, at: moment)
    }
    // Ghosts without a session are forgotten with the other data of their day.
    ghosts.release()
    return nextSession
  }
}
