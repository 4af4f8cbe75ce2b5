#include "COverlay.h"

#include <X11/Xlib.h>
#include <X11/extensions/shape.h>
#include <gdk/gdkx.h>
#include <stdlib.h>

/* Returns whether a window takes input. Compositing managers and other overlays let input through;
 * a lock screen never does. */
static int takes_input(Display *display, Window window)
{
	int count = 0, ordering = 0;
	XRectangle *rectangles =
		XShapeGetRectangles(display, window, ShapeInput, &count, &ordering);
	if (rectangles)
		XFree(rectangles);
	return count > 0;
}

static enum touchgrid_x11_above judge(Display *display, Window window, const XWindowAttributes *ours)
{
	XWindowAttributes other;
	if (!XGetWindowAttributes(display, window, &other) || other.map_state != IsViewable
		|| other.class != InputOutput)
		return TOUCHGRID_NOTHING_ABOVE;
	int right = other.x + other.width + 2 * other.border_width;
	int bottom = other.y + other.height + 2 * other.border_width;
	int our_right = ours->x + ours->width, our_bottom = ours->y + ours->height;
	if (right <= ours->x || bottom <= ours->y || other.x >= our_right || other.y >= our_bottom
		|| !takes_input(display, window))
		return TOUCHGRID_NOTHING_ABOVE;
	if (other.override_redirect && other.x <= ours->x && other.y <= ours->y
		&& right >= our_right && bottom >= our_bottom)
		return TOUCHGRID_LOCK_ABOVE;
	return TOUCHGRID_SOMETHING_ABOVE;
}

static enum touchgrid_x11_above find(Display *display, Window window)
{
	XWindowAttributes ours;
	if (!XGetWindowAttributes(display, window, &ours))
		return TOUCHGRID_NOTHING_ABOVE;
	Window root, parent, *children = NULL;
	unsigned int count = 0;
	if (!XQueryTree(display, ours.root, &root, &parent, &children, &count))
		return TOUCHGRID_NOTHING_ABOVE;
	enum touchgrid_x11_above above = TOUCHGRID_NOTHING_ABOVE;
	/* The last child is the topmost. */
	for (unsigned int i = count; i > 0 && children[i - 1] != window && above != TOUCHGRID_LOCK_ABOVE; i--) {
		enum touchgrid_x11_above one = judge(display, children[i - 1], &ours);
		if (one > above)
			above = one;
	}
	if (children)
		XFree(children);
	return above;
}

static enum touchgrid_x11_above look(GtkWidget *widget, int is_to_raise)
{
	GdkWindow *gdk_window = gtk_widget_get_window(widget);
	if (!gdk_window)
		return TOUCHGRID_NOTHING_ABOVE;
	GdkDisplay *gdk_display = gdk_window_get_display(gdk_window);
	Display *display = gdk_x11_display_get_xdisplay(gdk_display);
	Window window = gdk_x11_window_get_xid(gdk_window);
	/* Windows may disappear while they are queried. */
	gdk_x11_display_error_trap_push(gdk_display);
	enum touchgrid_x11_above above = find(display, window);
	if (above == TOUCHGRID_SOMETHING_ABOVE && is_to_raise) {
		/* While the server is grabbed, no lock screen can appear between the check and the
		 * raise. */
		XGrabServer(display);
		above = find(display, window);
		if (above == TOUCHGRID_SOMETHING_ABOVE)
			XRaiseWindow(display, window);
		XUngrabServer(display);
		XFlush(display);
	}
	gdk_x11_display_error_trap_pop_ignored(gdk_display);
	return above;
}

enum touchgrid_x11_above touchgrid_x11_above(GtkWidget *widget)
{
	return look(widget, 0);
}

enum touchgrid_x11_above touchgrid_x11_raise(GtkWidget *widget)
{
	return look(widget, 1);
}

void touchgrid_x11_lower(GtkWidget *widget)
{
	GdkWindow *window = gtk_widget_get_window(widget);
	if (!window)
		return;
	Display *display = gdk_x11_display_get_xdisplay(gdk_window_get_display(window));
	XLowerWindow(display, gdk_x11_window_get_xid(window));
}

struct touchgrid_x11_notice {
	GdkWindow *root;
	Window window;
	/* The timer that reports a moved window; 0 if none is running. */
	guint pending;
	void (*changed)(void *owner);
	void *owner;
};

/* The number of active watches. All watches share the client's only request for events of the root
 * window, so the first one makes the request, and the end of the last one cancels it. */
static int notices;

static void ask(GdkWindow *root, int is_wanted)
{
	GdkDisplay *gdk_display = gdk_window_get_display(root);
	Display *display = gdk_x11_display_get_xdisplay(gdk_display);
	Window window = gdk_x11_window_get_xid(root);
	XWindowAttributes attributes;
	/* Keep the other events that GDK has requested for the root window. */
	if (!XGetWindowAttributes(display, window, &attributes))
		return;
	long others = attributes.your_event_mask & ~SubstructureNotifyMask;
	XSelectInput(display, window, is_wanted ? others | SubstructureNotifyMask : others);
}

static gboolean tell(gpointer user)
{
	struct touchgrid_x11_notice *notice = user;
	notice->pending = 0;
	notice->changed(notice->owner);
	return G_SOURCE_REMOVE;
}

static GdkFilterReturn filter(GdkXEvent *data, GdkEvent *event, gpointer user)
{
	XEvent *one = (XEvent *)data;
	struct touchgrid_x11_notice *notice = user;
	if (one->type == MapNotify || one->type == UnmapNotify || one->type == DestroyNotify)
		notice->changed(notice->owner);
	else if (one->type == ConfigureNotify && one->xconfigure.window != notice->window
		&& !notice->pending)
		notice->pending = g_timeout_add(100, tell, notice);
	return GDK_FILTER_CONTINUE;
}

struct touchgrid_x11_notice *touchgrid_x11_watch(
	GtkWidget *window, void (*changed)(void *owner), void *owner)
{
	struct touchgrid_x11_notice *notice = malloc(sizeof *notice);
	if (!notice)
		abort();
	GdkWindow *root = gdk_screen_get_root_window(gtk_widget_get_screen(window));
	GdkWindow *gdk_window = gtk_widget_get_window(window);
	*notice = (struct touchgrid_x11_notice){
		root, gdk_window ? gdk_x11_window_get_xid(gdk_window) : None, 0, changed, owner};
	gdk_window_add_filter(root, filter, notice);
	if (!notices++)
		ask(root, 1);
	return notice;
}

void touchgrid_x11_unwatch(struct touchgrid_x11_notice *notice)
{
	gdk_window_remove_filter(notice->root, filter, notice);
	if (notice->pending)
		g_source_remove(notice->pending);
	if (!--notices)
		ask(notice->root, 0);
	free(notice);
}
