internal import CGTK
internal import TouchFeedback
internal import TouchModel

/// Draws pictures with cairo, both to show them and to compute the shapes of windows.
struct Painter {
  let surface: Surface

  /// Erases everything within the clip of the context.
  func clear(_ context: OpaquePointer) {
    unsafe cairo_save(context)
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
    unsafe cairo_paint(context)
    unsafe cairo_restore(context)
  }

  /// Draws the part of a picture within a region, and replaces the region's old contents.
  func draw(_ picture: Picture, within region: Region, on context: OpaquePointer) {
    unsafe cairo_save(context)
    unsafe clip(to: region, on: context)
    unsafe clear(context)
    if !picture.masks.isEmpty {
      let visible = Region([])
      unsafe region.use { unsafe visible.add($0) }
      for mask in picture.masks { visible.subtract(mask) }
      unsafe clip(to: visible, on: context)
    }
    if surface == .opaque { unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE) }
    for shape in picture.shapes where region.meets(shape.extent) {
      unsafe draw(shape, on: context)
    }
    unsafe cairo_restore(context)
  }

  private func clip(to region: Region, on context: OpaquePointer) {
    unsafe cairo_new_path(context)
    unsafe region.use { unsafe gdk_cairo_region(context, $0) }
    unsafe cairo_clip(context)
  }

  /// Returns the points that the shapes cover in a window of this size, except points in masks.
  /// Sizes are in points.
  func region(of picture: Picture, width: Int, height: Int) -> Region {
    let whole = Area(x: 0, y: 0, width: width, height: height)
    let window = Region([whole])
    let region = Region([])
    for shape in picture.shapes {
      let bounds = shape.extent.intersection(whole)
      guard !bounds.isEmpty else { continue }
      let surface = unsafe cairo_image_surface_create(
        CAIRO_FORMAT_A1, Int32(bounds.width), Int32(bounds.height))
      defer { unsafe cairo_surface_destroy(surface) }
      unsafe cairo_surface_set_device_offset(surface, Double(-bounds.x), Double(-bounds.y))
      guard let context = unsafe cairo_create(surface) else { continue }
      unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
      unsafe draw(shape, on: context)
      unsafe cairo_destroy(context)
      guard let drawn = unsafe gdk_cairo_region_create_from_surface(surface) else { continue }
      unsafe region.add(drawn)
      unsafe cairo_region_destroy(drawn)
    }
    for mask in picture.masks { window.subtract(mask) }
    region.intersect(window)
    return region
  }

  private func draw(_ shape: Shape, on context: OpaquePointer) {
    switch shape {
    case .disc(let centre, let radius, let fill, let ring, let ringWidth):
      // The ring lies inside the radius, and the disc inside the ring.
      let inner = max(radius - ringWidth, 0)
      if fill.opacity > 0, inner > 0 {
        unsafe circle(centre, inner, on: context)
        unsafe set(fill, on: context)
        unsafe cairo_fill(context)
      }
      if ring.opacity > 0, ringWidth > 0 {
        unsafe circle(centre, max(radius - ringWidth / 2, 0), on: context)
        unsafe set(ring, on: context)
        unsafe cairo_set_line_width(context, ringWidth)
        unsafe cairo_stroke(context)
      }
    case .area(let polygons, let colour):
      // One path with the nonzero winding rule: overlapping parts are filled only once.
      unsafe cairo_new_path(context)
      for polygon in polygons {
        unsafe cairo_new_sub_path(context)
        for point in polygon { unsafe cairo_line_to(context, point.x, point.y) }
        unsafe cairo_close_path(context)
      }
      unsafe set(colour, on: context)
      unsafe cairo_fill(context)
    case .label(let text, let centre, let height, let colour):
      unsafe label(text, centre, height, colour, on: context)
    }
  }

  private func label(
    _ text: String, _ centre: Point, _ height: Double, _ colour: Colour, on context: OpaquePointer
  ) {
    unsafe cairo_select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD)
    unsafe cairo_set_font_size(context, 100)
    var digit = cairo_text_extents_t()
    unsafe cairo_text_extents(context, "0", &digit)
    guard digit.height > 0 else { return }
    unsafe cairo_set_font_size(context, 100 * height / digit.height)
    var extents = cairo_text_extents_t()
    unsafe cairo_text_extents(context, text, &extents)
    unsafe set(colour, on: context)
    unsafe cairo_move_to(
      context, centre.x - extents.x_bearing - extents.width / 2,
      centre.y - extents.y_bearing - extents.height / 2)
    unsafe cairo_show_text(context, text)
  }

  private func circle(_ centre: Point, _ radius: Double, on context: OpaquePointer) {
    unsafe cairo_new_path(context)
    unsafe cairo_arc(context, centre.x, centre.y, radius, 0, 2 * .pi)
  }

  private func set(_ colour: Colour, on context: OpaquePointer) {
    unsafe cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.opacity)
  }
}

/// A set of whole points of an output or window.
@safe final class Region {
  private let pointer: OpaquePointer

  init(_ areas: [Area]) {
    unsafe pointer = cairo_region_create()
    for area in areas where !area.isEmpty {
      var rectangle = area.rectangle
      unsafe cairo_region_union_rectangle(pointer, &rectangle)
    }
  }

  deinit { unsafe cairo_region_destroy(pointer) }

  /// Calls `body` with the region. The pointer is valid only during the call.
  func use(_ body: (OpaquePointer) -> Void) {
    withExtendedLifetime(self) { unsafe body(pointer) }
  }

  func add(_ other: OpaquePointer) { unsafe cairo_region_union(pointer, other) }

  func intersect(_ other: Region) {
    unsafe other.use { unsafe cairo_region_intersect(pointer, $0) }
  }

  /// Returns whether the region and an area have a pixel in common.
  func meets(_ area: Area) -> Bool {
    guard !area.isEmpty else { return false }
    var rectangle = area.rectangle
    return unsafe cairo_region_contains_rectangle(pointer, &rectangle) != CAIRO_REGION_OVERLAP_OUT
  }

  func subtract(_ area: Area) {
    guard !area.isEmpty else { return }
    var rectangle = area.rectangle
    unsafe cairo_region_subtract_rectangle(pointer, &rectangle)
  }

  func equals(_ other: Region) -> Bool {
    var isEqual = false
    unsafe other.use { unsafe isEqual = cairo_region_equal(pointer, $0) != 0 }
    return isEqual
  }

  func contains(x: Int32, y: Int32) -> Bool {
    unsafe cairo_region_contains_point(pointer, x, y) != 0
  }
}

extension Area {
  var rectangle: GdkRectangle {
    GdkRectangle(x: Int32(x), y: Int32(y), width: Int32(width), height: Int32(height))
  }
}
