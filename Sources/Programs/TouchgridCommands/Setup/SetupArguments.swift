import ArgumentParser
import TouchModel
import TouchgridAPI

/// A display and its differences from the data of its connector:
/// `NAME[,WIDTHxHEIGHT][,scale=NUMBER][,rotation=DEGREES]`.
struct DisplayArgument: Equatable, FormedArgument {
  static let forms =
    "NAME, and after commas any of WIDTHxHEIGHT, scale=NUMBER and rotation=DEGREES, such as "
    + "DSI-1,720x1280,rotation=90"

  var display: SetupAnswers.Display

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard let name = words.first, !name.isEmpty else { return nil }
    display = SetupAnswers.Display(name: String(name))
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      switch (parts.count, parts[0]) {
      case (1, _) where display.size == nil:
        guard let size = PixelsArgument(argument: parts[0]) else { return nil }
        display.size = size
      case (2, "scale") where display.scale == nil:
        guard let scale = Double(parts[1]), (0.25...16).contains(scale) else { return nil }
        display.scale = scale
      case (2, "rotation") where display.rotation == nil:
        guard let rotation = Int(parts[1]).flatMap(Rotation.init) else { return nil }
        display.rotation = rotation
      default: return nil
      }
    }
  }
}

/// The display that a touchscreen lies on: `TOUCHSCREEN=DISPLAY`.
struct TouchscreenArgument: Equatable, FormedArgument {
  static let forms =
    "TOUCHSCREEN=DISPLAY, the key or name of a touchscreen and the name of a display, such as "
    + "'ELAN Touchscreen*=HDMI-A-1'"

  var touchscreen: SetupAnswers.Touchscreen

  init?(argument: String) {
    // Split at the last "=", because only the touchscreen's name may contain one.
    guard let sign = argument.lastIndex(of: "=") else { return nil }
    let (match, display) = (argument[..<sign], argument[argument.index(after: sign)...])
    guard !match.isEmpty, !display.isEmpty else { return nil }
    touchscreen = SetupAnswers.Touchscreen(match: String(match), display: String(display))
  }
}

/// A masked rectangle of a screen: `X,Y,WIDTH,HEIGHT[@DISPLAY],SCREEN`. The screen comes last, because
/// its name may contain anything.
struct MaskArgument: Equatable, FormedArgument {
  static let forms =
    "X,Y,WIDTH,HEIGHT,SCREEN in points, such as 0,300,480,500,pin, or for a single display "
    + "0,300,480,500@DSI-1,pin"

  var mask: API.Mask

  init?(argument: String) {
    let words = argument.split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false)
    guard words.count == 5, !words[4].isEmpty else { return nil }
    let height = words[3].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let display = height.count == 2 ? String(height[1]) : nil
    let numbers = (words[..<3] + height[..<1]).joined(separator: ",")
    guard display != "", let rectangle = RectangleArgument(argument: numbers) else { return nil }
    mask = API.Mask(screen: String(words[4]), display: display, rectangle: rectangle.rectangle)
  }
}
