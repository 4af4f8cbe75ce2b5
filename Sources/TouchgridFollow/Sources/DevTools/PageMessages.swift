/// What Chromium and this program say to each other, of the DevTools protocol all that is needed: no page is attached to, and
/// none can notice. https://chromedevtools.github.io/devtools-protocol/tot/Target/
enum PageMessages {
  /// A call of ours.
  struct Call<Parameters: Encodable>: Encodable {
    var id: Int
    var method: String
    var params: Parameters
  }

  /// `Target.setDiscoverTargets`
  struct Discovery: Encodable {
    struct Kind: Encodable { var type = "page" }
    var discover = true
    var filter = [Kind()]
  }

  /// `Target.getTargets`
  struct Question: Encodable { var filter = [Discovery.Kind()] }

  struct Targets: Decodable { var targetInfos: [Target.Info] }

  /// Anything of theirs.
  struct Head: Decodable {
    var method: String?
  }

  struct Event<Parameters: Decodable>: Decodable { var params: Parameters }

  struct Reply<Result: Decodable>: Decodable { var result: Result }

  /// `Target.targetCreated`, `Target.targetInfoChanged`: whenever the address changes, by scripts as well (history,
  /// fragment), and not for a title alone.
  struct Target: Decodable {
    struct Info: Decodable {
      var targetId: String
      var type: String
      /// Of pages that are not shown yet, "prerender".
      var subtype: String?
      var title: String
      var url: String
    }
    var targetInfo: Info
  }

  /// `Target.targetDestroyed`, `Target.targetCrashed`
  struct Gone: Decodable { var targetId: String }

  /// `/json/version`
  struct Version: Decodable { var webSocketDebuggerUrl: String }
}
