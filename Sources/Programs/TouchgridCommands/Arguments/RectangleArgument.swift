import ArgumentParser
import TouchgridAPI

/// A rectangle in points, `X,Y,WIDTH,HEIGHT`.
struct RectangleArgument: Equatable, FormedArgument {
  static let forms = "X,Y,WIDTH,HEIGHT in points, such as 0,100,400,300"

  var rectangle: API.Rectangle

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    // Check the characters: Swift's `Double` also parses hexadecimal, infinite and NaN texts.
    guard words.count == 4, words.allSatisfy({ $0.allSatisfy("0123456789.".contains) }) else {
      return nil
    }
    let numbers = words.compactMap { Double($0) }
    guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
    rectangle = API.Rectangle(
      x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

/// A size in pixels, `WIDTHxHEIGHT`.
struct PixelsArgument: Equatable, FormedArgument {
  static let forms = "WIDTHxHEIGHT in pixels, such as 1920x1080"

  var width: Int
  var height: Int

  init?(argument: String) {
    let words = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ $0.allSatisfy("0123456789".contains) }),
      let width = Int(words[0]), let height = Int(words[1])
    else { return nil }
    self.width = width
    self.height = height
  }
}
