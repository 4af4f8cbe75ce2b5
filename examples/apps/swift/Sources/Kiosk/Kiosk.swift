import Foundation
import TouchgridAPI

/// Your app goes here. In this example, each line that you type is the name of the next screen.
@main struct Kiosk {
  static func main() throws {
    let keypad = API.Mask(
      screen: "checkout/pin",
      rectangle: API.Rectangle(x: 0, y: 300, width: 480, height: 500))
    let path = ProcessInfo.processInfo.environment["TOUCHGRID_SOCKET"]
    let touchgrid = try TouchgridConnection(
      path: path ?? TouchgridClient.standardPath, masks: [keypad])

    let pay = API.Control(
      name: "pay", rectangle: API.Rectangle(x: 640, y: 600, width: 300, height: 80))
    attempt { try touchgrid.call(API.SetControls(screen: "checkout", controls: [pay])) }
    attempt { try touchgrid.call(API.BeginSession(tags: ["build": "1.4"])) }
    while let screen = readLine() {
      // Do not record the staff.
      if screen == "service" {
        attempt { try touchgrid.call(API.Pause()) }
      } else {
        attempt { try touchgrid.call(API.Resume()) }
      }
      attempt { try touchgrid.show(screen) }
    }
    attempt { try touchgrid.call(API.TagSession(tags: ["outcome": "paid"])) }
    attempt { try touchgrid.call(API.EndSession()) }
  }

  /// Goes on without Touchgrid if it is missing, stopped or refuses a call.
  static func attempt<Reply>(_ body: () throws -> Reply) {
    do {
      _ = try body()
    } catch {
      FileHandle.standardError.write(Data("touchgrid: \(error)\n".utf8))
    }
  }
}
