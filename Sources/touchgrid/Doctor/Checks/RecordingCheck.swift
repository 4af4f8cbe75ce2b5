import GridFormats
import TouchModel
import TouchgridAPI

/// Checks that the daemon records touches.
enum RecordingCheck {
  static func finding(_ status: API.GetStatus.Reply) -> Finding {
    if status.pauses > 0 {
      return .warning(
        "recording is paused by \(counted(UInt64(clamping: status.pauses), "client"))",
        "it goes on when they resume or go away; 'touchgrid resume' ends all pauses")
    }
    if status.mode == .manual, status.session == nil {
      return .warning(
        "no session runs, and the configuration leaves their beginning to clients",
        "'touchgrid session begin', or mode = \"automatic\" in [session]")
    }
    if status.grids.isFull {
      return .warning(
        "recording is on, but memory has no room for more grids: touches on further screens are counted on "
          + SessionRecorder.otherScreen,
        "a larger block_size or fewer layers in [grid], or fewer names of screens; the next session begins anew"
      )
    }
    let session =
      status.session.map { "session \($0.id) runs" } ?? "the next touch begins a session"
    return .ok("recording is on; \(session)")
  }
}
