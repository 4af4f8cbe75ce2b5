import ArgumentParser
import Heatmaps
import Text
import TouchModel

/// The name of a screen's picture in a folder of pictures: the path of the file without its ending.
struct PictureName: Hashable {
  /// The maximum depth of folders in a name.
  static let depthLimit = 8

  let screen: String
  /// The displays that the picture is for; nil for all.
  let size: PictureSize?

  /// - Returns: nil if the screen's name is not a valid path in the folder.
  init?(_ screen: String, for size: PictureSize? = nil) {
    let parts = screen.split(separator: "/", omittingEmptySubsequences: false)
    // No part may begin with a dot. This also rejects `..`, which would lead out of the folder.
    guard parts.count <= Self.depthLimit + 1,
      parts.allSatisfy({ !$0.isEmpty && $0.first != "." && !$0.utf8.contains(0) })
    else { return nil }
    self.screen = screen
    self.size = size
  }

  /// Reads the name of a file.
  /// - Returns: nil if it is not the name of a picture.
  init?(file: String) {
    guard let ending = FileEnding(file), Screenshot.fileEndings.contains(ending.text) else {
      return nil
    }
    let parts = ending.stem.split(separator: "@", omittingEmptySubsequences: false)
    let size = parts.count > 1 ? parts.last.flatMap { PictureSize(argument: String($0)) } : nil
    self.init(
      size == nil ? ending.stem : parts.dropLast().joined(separator: "@"), for: size)
  }

  /// The name without an ending, such as `checkout/pay` or `menu@800x1280`.
  var stem: String { screen + (size.map { "@\($0.text)" } ?? "") }

  /// The possible names of the file.
  var files: [String] { Screenshot.fileEndings.map { "\(stem).\($0)" } }

  /// The folders of the file, the outermost first.
  var folders: [String] {
    let parts = stem.split(separator: "/").dropLast()
    return parts.indices.map { parts[...$0].joined(separator: "/") }
  }

  /// The command that removes the picture.
  var removal: String {
    "sudo touchgrid picture remove \(screen.printable(limit: 300))"
      + (size.map { " --size \($0.text)" } ?? "")
  }

  /// The name in messages.
  var words: String { stem.printable(limit: 300) }
}

/// The size of a display in points, which distinguishes pictures for displays of different shapes.
struct PictureSize: Hashable, FormedArgument {
  static let forms = "WIDTHxHEIGHT in points, such as 800x1280"

  let width: Int
  let height: Int

  init(_ geometry: DisplayGeometry) {
    width = Int(geometry.width.rounded())
    height = Int(geometry.height.rounded())
  }

  /// - Returns: nil if the text is not a size as in `text`, or if no display is that large.
  init?(argument: String) {
    guard let size = PixelsArgument(argument: argument) else { return nil }
    (width, height) = (size.width, size.height)
    guard text == argument, geometry != nil else { return nil }
  }

  var text: String { "\(width)x\(height)" }

  /// The geometry of a display of this size at scale 1.
  var geometry: DisplayGeometry? { DisplayGeometry(pixelWidth: width, pixelHeight: height) }
}
