/// The part of Chromium's DevTools protocol that this program uses.
/// https://chromedevtools.github.io/devtools-protocol/tot/Target/
enum PageMessages {
  /// A call that this program makes.
  struct Call<Parameters: Encodable>: Encodable {
    var id: Int
    var method: String
    var params: Parameters
    /// The session of the page that the call is for; nil for the browser.
    var sessionId: String?
  }

  struct Nothing: Encodable {}

  /// The parameters of `Target.attachToTarget`.
  struct Attachment: Encodable {
    var targetId: String
    var flatten = true
  }

  /// The parameters of `Runtime.addBinding`: a function for the script that finds controls.
  struct Binding: Encodable {
    var name = PageMessages.binding
    var executionContextName = PageMessages.world
  }

  /// The parameters of `Page.addScriptToEvaluateOnNewDocument`.
  struct Script: Encodable {
    var source: String
    var worldName = PageMessages.world
    var runImmediately = true
  }

  /// The parameters of `Page.captureScreenshot`.
  struct Picture: Encodable { var format = "png" }

  /// The answer to `Page.captureScreenshot`.
  struct Pictured: Decodable {
    struct Result: Decodable { var data: String }
    var id: Int
    var result: Result
  }

  /// The isolated world of the script, in which the page's own scripts cannot see it.
  static let world = "touchgrid"
  static let binding = "touchgridTell"

  /// The parameters of `Target.attachedToTarget`.
  struct Attached: Decodable {
    var sessionId: String
    var targetInfo: Target.Info
  }

  /// The answer to `Target.attachToTarget`.
  struct Session: Decodable { var sessionId: String }

  /// The answer to `Page.getFrameTree`.
  struct Frames: Decodable {
    struct Frame: Decodable {
      var url: String
      /// The requested address, if it could not be loaded.
      var unreachableUrl: String?
    }
    struct Tree: Decodable { var frame: Frame }
    var frameTree: Tree
  }

  /// The parameters of `Target.detachedFromTarget`.
  struct Detached: Decodable { var sessionId: String }

  /// The parameters of `Runtime.bindingCalled`.
  struct Told: Decodable {
    struct Parameters: Decodable {
      var name: String
      var payload: String
    }
    var params: Parameters
    var sessionId: String
  }

  /// The parameters of `Target.setDiscoverTargets`.
  struct Discovery: Encodable {
    struct Kind: Encodable { var type = "page" }
    var discover = true
    var filter = [Kind()]
  }

  /// The parameters of `Target.getTargets`.
  struct Question: Encodable { var filter = [Discovery.Kind()] }

  struct Targets: Decodable { var targetInfos: [Target.Info] }

  /// The member that identifies messages from the browser. Replies have no method.
  struct Head: Decodable {
    var method: String?
    var id: Int?
  }

  struct Event<Parameters: Decodable>: Decodable { var params: Parameters }

  struct Reply<Result: Decodable>: Decodable { var result: Result }

  /// The parameters of `Target.targetCreated` and `Target.targetInfoChanged`. The browser sends the
  /// latter whenever the address changes, also by scripts (history, fragment), but not when only
  /// the title does.
  struct Target: Decodable {
    struct Info: Decodable {
      var targetId: String
      var type: String
      /// "prerender" for pages that are not shown yet.
      var subtype: String?
      var title: String
      var url: String
      /// The target that opened this one.
      var openerId: String?
    }
    var targetInfo: Info
  }

  /// The parameters of `Target.targetDestroyed` and `Target.targetCrashed`.
  struct Gone: Decodable { var targetId: String }

  /// The answer to `/json/version`.
  struct Version: Decodable { var webSocketDebuggerUrl: String }
}
