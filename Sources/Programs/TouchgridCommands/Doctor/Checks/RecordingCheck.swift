import Heatmaps
import Text
import TouchModel
import TouchgridAPI

/// Checks that the daemon records touches.
enum RecordingCheck {
  static func finding(_ status: API.GetStatus.Reply) -> Finding {
    if status.pauses > 0 {
      return .warning(
        "recording is paused by \(counted(UInt64(clamping: status.pauses), "client"))",
        "recording goes on when they resume or disconnect; 'touchgrid resume' ends all pauses")
    }
    if status.mode == .manual, status.session == nil {
      return .warning(
        "no session runs, and only clients may begin one (mode = \"manual\")",
        "run 'touchgrid begin-session', or set mode = \"automatic\" in [session]")
    }
    if status.grids.isFull {
      return .warning(
        "recording is on, but the memory for grids is full: touches on more screens are counted on "
          + SessionRecorder.otherScreen,
        "set a larger block_size or fewer layers in [grid], or use fewer screen names; the next "
          + "session starts with empty grids"
      )
    }
    let session =
      status.session.map { "session \($0.id) runs" } ?? "the next touch begins a session"
    return .ok("recording is on; \(session)")
  }
}
