internal import CCairo

/// A cairo drawing context. cairo keeps the first error in its own state; `check` throws it.
@safe struct Canvas: ~Copyable {
  private let context: OpaquePointer

  /// Creates a context that draws on a surface. The context keeps the surface alive.
  init(_ surface: borrowing Surface) throws(PictureError) {
    unsafe context = cairo_create(surface.pointer)
    try check()
  }

  deinit { unsafe cairo_destroy(context) }

  func check() throws(PictureError) { try unsafe cairoCheck(cairo_status(context)) }

  func scale(_ factor: Double) { unsafe cairo_scale(context, factor, factor) }

  /// Ends a page of a PDF.
  func showPage() { unsafe cairo_show_page(context) }

  /// Draws an image at the origin, pixel for pixel.
  func paint(_ image: borrowing Surface) throws(PictureError) {
    unsafe cairo_set_source_surface(context, image.pointer, 0, 0)
    unsafe cairo_paint(context)
    try check()
  }

  func draw(_ shapes: [Shape]) throws(PictureError) {
    for shape in shapes { try draw(shape) }
    try check()
  }

  private func draw(_ shape: Shape) throws(PictureError) {
    switch shape {
    case .rectangle(let box, let ink, _):
      setInk(ink)
      // Do not antialias: the edge of a block may lie between two pixels. Blending would make both
      // pixels lighter, which shows as a seam.
      unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
      unsafe cairo_rectangle(context, box.x, box.y, box.width, box.height)
      unsafe cairo_fill(context)
      unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT)
    case .line(let from, let to, let width, let ink):
      setInk(ink)
      unsafe cairo_set_line_width(context, width)
      unsafe cairo_move_to(context, from.x, from.y)
      unsafe cairo_line_to(context, to.x, to.y)
      unsafe cairo_stroke(context)
    case .hatch(let boxes, let spacing): hatch(boxes, spacing)
    case .image(let pixels, let box, let isSmooth, let holes):
      try draw(pixels, box, isSmooth, holes)
    case .text(let label): draw(label)
    }
  }

  private func setInk(_ ink: Ink) {
    func part(_ channel: UInt8) -> Double { Double(channel) / 255 }
    let colour = ink.colour
    unsafe cairo_set_source_rgba(
      context, part(colour.red), part(colour.green), part(colour.blue), ink.opacity)
  }

  private func hatch(_ boxes: [Box], _ spacing: Double) {
    guard let hatching = Hatching(boxes, spacing: spacing) else { return }
    unsafe cairo_save(context)
    unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
    for box in boxes { unsafe cairo_rectangle(context, box.x, box.y, box.width, box.height) }
    unsafe cairo_clip(context)
    unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT)
    unsafe cairo_set_line_width(context, hatching.lineWidth)
    for (ink, lines) in [
      (Hatching.dark, hatching.darkLines), (Hatching.light, hatching.lightLines),
    ] {
      setInk(ink)
      for (from, to) in lines {
        unsafe cairo_move_to(context, from.x, from.y)
        unsafe cairo_line_to(context, to.x, to.y)
      }
      unsafe cairo_stroke(context)
    }
    unsafe cairo_restore(context)
  }

  private func draw(
    _ pixels: Pixels, _ box: Box, _ isSmooth: Bool, _ holes: [Box]
  ) throws(PictureError) {
    let image = try Surface.holding(pixels)
    unsafe cairo_save(context)
    unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
    unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
    for box in [box] + holes {
      unsafe cairo_rectangle(context, box.x, box.y, box.width, box.height)
    }
    unsafe cairo_clip(context)
    unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT)
    unsafe cairo_translate(context, box.x, box.y)
    unsafe cairo_scale(
      context, box.width / Double(pixels.width), box.height / Double(pixels.height))
    unsafe cairo_set_source_surface(context, image.pointer, 0, 0)
    let pattern = unsafe cairo_get_source(context)
    unsafe cairo_pattern_set_filter(
      pattern, isSmooth ? CAIRO_FILTER_BILINEAR : CAIRO_FILTER_NEAREST)
    // Repeat the edge pixels, or the image would fade out at its edges.
    unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    unsafe cairo_paint(context)
    unsafe cairo_restore(context)
  }

  private func draw(_ label: Label) {
    setInk(label.ink)
    let width = advance(label.text, label.font)
    let start =
      switch label.anchor {
      case .start: label.x
      case .middle: label.x - width / 2
      case .end: label.x - width
      }
    unsafe cairo_move_to(context, start, label.y)
    unsafe cairo_show_text(context, label.text)
  }

  /// Selects a font and returns the width of `text` in it.
  func advance(_ text: String, _ font: Font) -> Double {
    unsafe cairo_select_font_face(
      context, "sans", CAIRO_FONT_SLANT_NORMAL,
      font.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    unsafe cairo_set_font_size(context, font.size)
    var extents = cairo_text_extents_t()
    unsafe cairo_text_extents(context, text, &extents)
    return extents.x_advance
  }
}
