/// Sessions can be given up.
extension SessionRecorder {
  /// Ends every session of these at once, without waiting for its fingers: those that are down count for nobody
  /// from now on. What it was is handed over once more, so that nothing is lost where it cannot be forgotten.
  /// - Parameter wanted: says so of a session by its number and the time when it began.
  /// - Returns: the number of the next session: all that may be forgotten now have lower ones.
  public mutating func giveUpSessions(
    at moment: Moment, where wanted: (_ id: Int64, _ began: WallTime) -> Bool
  ) -> Int64 {
    settle(until: moment.boottime, at: moment)
    while let index = sessions.firstIndex(where: { wanted($0.id, $0.began.wall) }) {
      if sessions[index].ending == nil { sessions[index].ending = (.client, moment) }
      closeSession(index, at: moment)
    }
    // Those that came without a session are to go with the others of their day.
    ghosts.release()
    return nextSession
  }
}
