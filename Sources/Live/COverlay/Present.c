#include "COverlay.h"

#include <X11/Xlib.h>
#include <X11/extensions/shape.h>
#include <cairo-xlib.h>
#include <gdk/gdkx.h>
#include <stdlib.h>

/* The serial numbers of the first and the last X request of the latest change of a window. */
struct requests {
	unsigned long first, last;
};

/* Drops the Expose events that the requests in `user` cause, because the uncovered parts are drawn
 * already and GTK would draw them again. */
static GdkFilterReturn filter(GdkXEvent *data, GdkEvent *event, gpointer user)
{
	XEvent *one = (XEvent *)data;
	struct requests *requests = user;
	int is_drawn = one->type == Expose && one->xexpose.serial >= requests->first
		&& one->xexpose.serial <= requests->last;
	return is_drawn ? GDK_FILTER_REMOVE : GDK_FILTER_CONTINUE;
}

static void set_shape(Display *display, Window window, const cairo_region_t *shape, int scale)
{
	int count = cairo_region_num_rectangles(shape);
	XRectangle *rectangles = calloc(count > 0 ? count : 1, sizeof *rectangles);
	if (!rectangles)
		abort();
	for (int i = 0; i < count; i++) {
		cairo_rectangle_int_t one;
		cairo_region_get_rectangle(shape, i, &one);
		rectangles[i] = (XRectangle){
			one.x * scale, one.y * scale, one.width * scale, one.height * scale};
	}
	XShapeCombineRectangles(
		display, window, ShapeBounding, 0, 0, rectangles, count, ShapeSet, YXBanded);
	free(rectangles);
}

void touchgrid_x11_show(GtkWidget *widget)
{
	gtk_widget_realize(widget);
	GdkWindow *gdk_window = gtk_widget_get_window(widget);
	struct requests *requests = calloc(1, sizeof *requests);
	if (!gdk_window || !requests)
		abort();
	g_object_set_data_full(G_OBJECT(gdk_window), "touchgrid-requests", requests, free);
	gdk_window_add_filter(gdk_window, filter, requests);
	Display *display = gdk_x11_display_get_xdisplay(gdk_window_get_display(gdk_window));
	Window window = gdk_x11_window_get_xid(gdk_window);
	cairo_region_t *nothing = cairo_region_create();
	set_shape(display, window, nothing, 1);
	cairo_region_destroy(nothing);
	gtk_widget_show(widget);
	/* Without a background, the server does not paint uncovered parts before they are drawn
	 * here. */
	XSetWindowBackgroundPixmap(display, window, None);
	touchgrid_x11_lower(widget);
}

/* Returns one part of a window, drawn on an off-screen surface on the server. */
static cairo_surface_t *part_new(cairo_surface_t *target, cairo_content_t content, int scale,
	const cairo_rectangle_int_t *place, void (*draw)(void *, cairo_t *), void *owner)
{
	cairo_surface_t *part = cairo_surface_create_similar(
		target, content, place->width * scale, place->height * scale);
	cairo_surface_set_device_scale(part, scale, scale);
	cairo_surface_set_device_offset(part, -place->x * scale, -place->y * scale);
	cairo_t *context = cairo_create(part);
	draw(owner, context);
	cairo_destroy(context);
	cairo_surface_set_device_offset(part, 0, 0);
	cairo_surface_set_device_scale(part, 1, 1);
	cairo_surface_flush(part);
	return part;
}

void touchgrid_x11_present(GtkWidget *widget, const cairo_region_t *old,
	const cairo_region_t *new, const GdkRectangle *places, int count,
	void (*draw)(void *owner, cairo_t *context), void *owner)
{
	GdkWindow *gdk_window = gtk_widget_get_window(widget);
	struct requests *requests =
		gdk_window ? g_object_get_data(G_OBJECT(gdk_window), "touchgrid-requests") : NULL;
	if (!requests)
		return;
	Display *display = gdk_x11_display_get_xdisplay(gdk_window_get_display(gdk_window));
	Window window = gdk_x11_window_get_xid(gdk_window);
	int scale = gdk_window_get_scale_factor(gdk_window);
	GdkVisual *visual = gdk_window_get_visual(gdk_window);
	cairo_content_t content = gdk_visual_get_depth(visual) == 32 ? CAIRO_CONTENT_COLOR_ALPHA
								   : CAIRO_CONTENT_COLOR;
	cairo_surface_t *target = cairo_xlib_surface_create(display, window,
		gdk_x11_visual_get_xvisual(visual), gdk_window_get_width(gdk_window) * scale,
		gdk_window_get_height(gdk_window) * scale);
	cairo_surface_t **parts = calloc(count > 0 ? count : 1, sizeof *parts);
	if (!parts)
		abort();
	for (int i = 0; i < count; i++)
		parts[i] = part_new(target, content, scale, &places[i], draw, owner);

	int has_changed = !cairo_region_equal(old, new);
	XGrabServer(display);
	requests->first = NextRequest(display);
	if (has_changed) {
		/* Drawing has no effect outside of the shape. A compositing manager, which keeps
		 * the pixels of translucent windows, may know only the old shape for a while, and
		 * would show old pixels there. So the shape is the union of the old and the new
		 * shape until everything is drawn. */
		cairo_region_t *either = cairo_region_copy(new);
		if (content == CAIRO_CONTENT_COLOR_ALPHA)
			cairo_region_union(either, old);
		set_shape(display, window, either, scale);
		cairo_region_destroy(either);
	}
	cairo_t *context = cairo_create(target);
	cairo_set_operator(context, CAIRO_OPERATOR_SOURCE);
	for (int i = 0; i < count; i++) {
		int x = places[i].x * scale, y = places[i].y * scale;
		cairo_set_source_surface(context, parts[i], x, y);
		cairo_rectangle(context, x, y, places[i].width * scale, places[i].height * scale);
		cairo_fill(context);
	}
	cairo_destroy(context);
	cairo_surface_flush(target);
	if (has_changed && content == CAIRO_CONTENT_COLOR_ALPHA)
		set_shape(display, window, new, scale);
	requests->last = NextRequest(display) - 1;
	XUngrabServer(display);
	XFlush(display);
	for (int i = 0; i < count; i++)
		cairo_surface_destroy(parts[i]);
	free(parts);
	cairo_surface_destroy(target);
}
