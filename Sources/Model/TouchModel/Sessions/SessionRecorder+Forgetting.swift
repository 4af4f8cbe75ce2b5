/// Ending sessions that are to be forgotten.
extension SessionRecorder {
  /// Ends the selected sessions immediately, even if fingers are still down. Those fingers no
  /// longer count towards any session. The complete sessions are handed over once more, so that
  /// nothing is lost if forgetting them fails.
  /// - Parameter wanted: returns whether to end a session, by its number and the time when it
  ///   began.
  /// - Returns: the number that the next session will have. Every session that may be forgotten has
  ///   a lower number.
  public mutating func closeForForgetting(
    at moment: Moment, where wanted: (_ id: Int64, _ began: WallTime) -> Bool
  ) -> Int64 {
    commit(until: moment.boottime, at: moment)
    while let index = sessions.firstIndex(where: { wanted($0.id, $0.began.wall) }) {
      if sessions[index].ending == nil { sessions[index].ending = (.client, moment) }
      closeSession(index, at: moment)
    }
    // Ghosts without a session are forgotten with the other data of their day.
    ghosts.release()
    return nextSession
  }
}
