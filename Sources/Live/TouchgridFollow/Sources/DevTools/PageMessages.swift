/// The part of Chromium's DevTools protocol that this program uses. The program attaches to no
/// page, so that no page can notice it.
/// https://chromedevtools.github.io/devtools-protocol/tot/Target/
enum PageMessages {
  /// A call that this program makes.
  struct Call<Parameters: Encodable>: Encodable {
    var id: Int
    var method: String
    var params: Parameters
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

  /// The member that tells the messages from the browser apart. Replies have no method.
  struct Head: Decodable {
    var method: String?
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
    }
    var targetInfo: Info
  }

  /// The parameters of `Target.targetDestroyed` and `Target.targetCrashed`.
  struct Gone: Decodable { var targetId: String }

  /// The answer to `/json/version`.
  struct Version: Decodable { var webSocketDebuggerUrl: String }
}
