import Testing
import TouchFeedback
import TouchModel

@testable import TouchgridOverlay

@Suite struct ShownSceneTests {
  @Test func `A scene is read with all its places`() throws {
    let scene = try #require(
      ShownScene(
        #"{"title":"Cross 1","lines":[[0,0.25,1,0.25]],"crosses":[[0.1,0.9],[1,0]],"more":1}"#))
    #expect(scene.title == "Cross 1")
    #expect(scene.lines.map(\.to) == [Point(x: 1, y: 0.25)])
    #expect(scene.crosses == [Point(x: 0.1, y: 0.9), Point(x: 1, y: 0)])
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"title\":1,\"lines\":[],\"crosses\":[]}",
    "{\"title\":\"\",\"lines\":[[0,0,1]],\"crosses\":[]}",
    "{\"title\":\"\",\"lines\":[],\"crosses\":[[0,1.1]]}",
    "{\"title\":\"\",\"lines\":[],\"crosses\":[[0,1e999]]}",
    "{\"title\":\"\",\"lines\":[],\"crosses\":[0]}", "{\"title\":\"\",\"lines\":[]}",
    "{\"title\":\"\",\"lines\":[],\"crosses\":[\(Array(repeating: "[0,0]", count: 65).joined(separator: ","))]}",
  ])
  func `What is no scene is refused`(text: String) {
    #expect(ShownScene(text) == nil)
  }

  @Test func `The picture covers the whole output, and a cross is exactly at its place`() throws {
    let scene = try #require(ShownScene(#"{"title":"x","lines":[],"crosses":[[0.25,0.5]]}"#))
    let picture = scene.picture(width: 800, height: 480)
    let ground = try #require(picture.shapes.first?.bounds)
    #expect(ground == Rectangle(x: 0, y: 0, width: 800, height: 480))
    let arms = picture.shapes.dropFirst().prefix(2).compactMap(\.bounds)
    for arm in arms {
      #expect(arm.x + arm.width / 2 == 200 && arm.y + arm.height / 2 == 240)
    }
  }

  @Test func `A long title stays on the output, and control characters are escaped`() throws {
    let title = String(repeating: "words and ", count: 30)
    let scene = try #require(
      ShownScene("{\"title\":\"\(title)\\u001b\\u202e\",\"lines\":[],\"crosses\":[]}"))
    for width in [320.0, 800, 3840] {
      for shape in scene.picture(width: width, height: width * 0.6).shapes {
        guard case .label(let text, let centre, let height, _) = shape else { continue }
        #expect(
          !text.unicodeScalars.contains("\u{1b}") && !text.unicodeScalars.contains("\u{202e}"))
        #expect(Double(text.count) * height < width && centre.x == width / 2)
      }
    }
  }
}
