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
        "recording goes on when every pause has ended; 'touchgrid resume' ends all pauses")
    }
    if status.masksEverything {
      return .warning(
        "masking everything until set up: touches are counted, and their positions are not kept",
        "run 'sudo touchgrid setup', which asks what to mask and writes the configuration")
    }
    if status.mode == .manual, status.session == nil {
      return .warning(
        "no session runs, and only clients may begin one (mode = \"manual\")",
        "run 'touchgrid begin-session', or set mode = \"automatic\" in [session] of the "
          + "configuration, and run 'sudo systemctl reload touchgridd'")
    }
    if status.grids.isFull {
      return .warning(
        "recording is on, but the memory for grids is full: touches on further screens are counted "
          + "on the screen \"\(SessionRecorder.otherScreen)\"",
        "the next session starts with empty grids; if it fills them too, use fewer names of "
          + "screens, or set a larger block_size or fewer layers in [grid] of the configuration"
      )
    }
    let session =
      status.session.map { "session \($0.id) runs" } ?? "the next touch begins a session"
    return .ok("recording is on; \(session)")
  }
}
