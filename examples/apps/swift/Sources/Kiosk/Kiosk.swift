import Foundation
import TouchgridAPI

/// Your app goes here. In this example, each line that you type is the name of the next screen.
@main struct Kiosk {
  static func main() {
    let path = ProcessInfo.processInfo.environment["TOUCHGRID_SOCKET"]
    var touchgrid = Touchgrid(path: path ?? TouchgridClient.standardPath)
    touchgrid.masks = [
      API.Mask(
        screen: "checkout/pin",
        rectangle: API.Rectangle(x: 0, y: 300, width: 480, height: 500))
    ]

    touchgrid.call(API.BeginSession(tags: ["build": "1.4"]))
    while let screen = readLine() {
      // Do not record the staff.
      if screen == "service" { touchgrid.call(API.Pause()) } else { touchgrid.call(API.Resume()) }
      touchgrid.show(screen)
    }
    touchgrid.call(API.TagSession(tags: ["outcome": "paid"]))
    touchgrid.call(API.EndSession())
  }
}
