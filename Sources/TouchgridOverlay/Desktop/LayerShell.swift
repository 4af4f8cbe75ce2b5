internal import CGTK
internal import COverlay
internal import TouchFeedback

/// Wayland compositors that have the layer shell. They keep their lock screens above everything (ext-session-lock).
final class LayerShell: Backend {
  var surface: Surface { .translucent }

  func makePane(on output: Output, _ tick: @escaping (any Pane) -> Bool) -> any Pane {
    LayerPane(on: output, tick)
  }
}

/// A layer surface over an output, and the tiles on which something is to be seen.
@safe final class LayerPane: Pane {
  let output: Output
  let surface = Surface.translucent
  var displays: [String] = []
  var width: Double { Double(output.place.width) }
  var height: Double { Double(output.place.height) }

  private let tick: (any Pane) -> Bool
  private var window: UnsafeMutablePointer<GtkWidget>?
  /// nil until the window has come.
  private var tiles: OpaquePointer?
  private var picture = Picture.nothing
  private var shown: Set<Tile> = []
  /// Drawn, and the compositor has not yet said that it would show more.
  private var isWaiting = false
  private var isStale = true
  private var hasDrawn = false

  init(on output: Output, _ tick: @escaping (any Pane) -> Bool) {
    self.output = output
    self.tick = tick
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe window = touchgrid_window_new(0, 1, Self.came, owner)
    unsafe touchgrid_window_layer(window, output.monitor)
    unsafe gtk_widget_show(window)
  }

  deinit {
    if let tiles = unsafe tiles { unsafe touchgrid_tiles_free(tiles) }
    if let window = unsafe window { unsafe gtk_widget_destroy(window) }
  }

  func wake() {
    isStale = true
    if !isWaiting { turn() }
  }

  private func turn() {
    guard unsafe tiles != nil else { return }
    isStale = tick(self)
    if isStale || hasDrawn { commit() }
  }

  private func commit() {
    (hasDrawn, isWaiting) = (false, true)
    unsafe touchgrid_tiles_commit(tiles)
  }

  func show(_ new: Picture) {
    guard unsafe tiles != nil else { return }
    let damage = new.damage(after: picture)
    guard !damage.isEmpty else { return }
    picture = new
    hasDrawn = true
    let bounds = new.shapes.map(\.bounds)
    for tile in Tile.touched(by: damage, width: output.place.width, height: output.place.height) {
      if bounds.contains(where: { $0.meets(tile.area) }) {
        draw(tile, damage.filter { $0.meets(tile.area) })
      } else if shown.remove(tile) != nil {
        unsafe touchgrid_tile_drop(tiles, tile.column, tile.row)
      }
    }
  }

  private func draw(_ tile: Tile, _ damage: [Area]) {
    guard let context = unsafe touchgrid_tile_begin(tiles, tile.column, tile.row) else { return }
    unsafe Painter(surface: surface).draw(picture, within: tile.area, on: context)
    let rectangles = damage.map(\.rectangle)
    unsafe touchgrid_tile_end(
      tiles, context, tile.column, tile.row, rectangles, Int32(rectangles.count))
    shown.insert(tile)
  }

  /// The window is drawn for the first time: it has come.
  private static let came: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = {
    owner, context in
    guard let owner = unsafe owner, let context = unsafe context else { return }
    let pane = unsafe Unmanaged<LayerPane>.fromOpaque(owner).takeUnretainedValue()
    unsafe Painter(surface: .translucent).clear(context)
    guard unsafe pane.tiles == nil else { return }
    unsafe pane.tiles = touchgrid_tiles_new(
      pane.window, pane.output.scale, LayerPane.refreshed, owner)
    pane.wake()
  }

  private static let refreshed: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
    guard let owner = unsafe owner else { return }
    let pane = unsafe Unmanaged<LayerPane>.fromOpaque(owner).takeUnretainedValue()
    pane.isWaiting = false
    if pane.isStale { pane.turn() }
  }
}
