internal import LinuxIO

extension FollowConfiguration {
  /// Returns the sources of the configuration or, if there are none, the windows of this desktop.
  /// - Throws: `nothingToFollow` if the environment names no desktop either.
  func sourcesOrDesktop() throws(FollowFailure) -> [Source] {
    guard sources.isEmpty else { return sources }
    if Environment.value("WAYLAND_DISPLAY") != nil { return [Source(.wayland(output: nil))] }
    if Environment.value("DISPLAY") != nil { return [Source(.x11)] }
    throw .nothingToFollow(
      "nothing to follow: the configuration has no [[source]], and neither WAYLAND_DISPLAY nor "
        + "DISPLAY is set; add a [[source]] to it, or run this on the desktop")
  }
}

/// - Parameter isMasked: Whether a page has a mask, by the rules or at the daemon.
func makeSource(
  _ source: FollowConfiguration.Source, _ loop: Loop, wantsTitles: Bool, wantsPictures: Bool,
  isMasked: @escaping (Observation) -> Bool, _ handler: @escaping (SourceEvent) -> Void
) throws(FollowFailure) -> any ObservationSource {
  switch source.kind {
  case .devTools(let port):
    try DevToolsSource(
      loop: loop, port: port, wantsTitles: wantsTitles, wantsControls: source.controls,
      wantsPictures: wantsPictures, display: source.display, isMasked: isMasked, handler)
  case .pipe(let path):
    try PipeSource(loop: loop, path: path, display: source.display, handler)
  case .command(let words):
    CommandSource(loop: loop, words: words, display: source.display, handler)
  case .wayland(let output):
    WaylandSource(
      loop: loop, output: output, display: source.display, wantsControls: source.controls, handler)
  case .x11:
    X11Source(
      loop: loop, output: nil, display: source.display, wantsControls: source.controls, handler)
  case .extension:
    try ExtensionSource(
      loop: loop, display: source.display, wantsControls: source.controls, handler)
  case .browser: try NativeMessagingSource(loop: loop, display: source.display, handler)
  }
}
