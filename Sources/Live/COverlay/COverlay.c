#include "COverlay.h"

#include <gtk-layer-shell/gtk-layer-shell.h>
#include <glib-unix.h>
#include <stdlib.h>

int touchgrid_gtk_start(const char *backend)
{
	/* A window without widgets needs no user settings, no D-Bus, and no threads for these. */
	g_setenv("NO_AT_BRIDGE", "1", TRUE);
	g_setenv("GSETTINGS_BACKEND", "memory", TRUE);
	g_setenv("GIO_USE_VFS", "local", TRUE);
	g_setenv("GTK_THEME", "Adwaita", TRUE);
	/* Without this, GDK loads OpenGL to choose a visual, and stores a property on the root
	 * window. */
	g_setenv("GDK_GL", "disable", TRUE);
	g_unsetenv("GTK_MODULES");
	g_unsetenv("GTK_IM_MODULE");
	/* GDK_BACKEND would take precedence over the backend that is allowed here. */
	g_unsetenv("GDK_BACKEND");
	gdk_set_allowed_backends(backend);
	return gtk_init_check(NULL, NULL);
}

unsigned long touchgrid_signal_connect(
	void *instance, const char *signal, void (*notice)(void *owner), void *owner)
{
	return g_signal_connect_swapped(instance, signal, G_CALLBACK(notice), owner);
}

void touchgrid_signal_disconnect(void *instance, unsigned long handler)
{
	g_signal_handler_disconnect(instance, handler);
}

char *touchgrid_monitor_connector(GdkDisplay *display, int index)
{
	/* The function is deprecated because most programs should not need the name of a connector.
	 * On Wayland it returns the name from xdg-output, on X11 the name from RandR. */
	G_GNUC_BEGIN_IGNORE_DEPRECATIONS
	return gdk_screen_get_monitor_plug_name(gdk_display_get_default_screen(display), index);
	G_GNUC_END_IGNORE_DEPRECATIONS
}

struct drawing {
	void (*draw)(void *owner, cairo_t *context);
	void *owner;
};

static gboolean draw(GtkWidget *window, cairo_t *context, gpointer data)
{
	struct drawing *drawing = data;
	drawing->draw(drawing->owner, context);
	return TRUE;
}

static void drop(gpointer data, GClosure *closure)
{
	free(data);
}

GtkWidget *touchgrid_window_new(int is_popup, int is_translucent, int takes_input,
	void (*draw_content)(void *, cairo_t *), void *owner)
{
	GtkWidget *window = gtk_window_new(is_popup ? GTK_WINDOW_POPUP : GTK_WINDOW_TOPLEVEL);
	gtk_widget_set_app_paintable(window, TRUE);
	gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
	gtk_window_set_accept_focus(GTK_WINDOW(window), FALSE);
	gtk_window_set_title(GTK_WINDOW(window), "touchgrid-overlay");
	GdkScreen *screen = gtk_widget_get_screen(window);
	GdkVisual *visual = is_translucent ? gdk_screen_get_rgba_visual(screen) : NULL;
	if (visual)
		gtk_widget_set_visual(window, visual);
	if (!takes_input) {
		cairo_region_t *nothing = cairo_region_create();
		gtk_widget_input_shape_combine_region(window, nothing);
		cairo_region_destroy(nothing);
	}
	struct drawing *drawing = malloc(sizeof *drawing);
	if (!drawing)
		abort();
	*drawing = (struct drawing){draw_content, owner};
	g_signal_connect_data(window, "draw", G_CALLBACK(draw), drawing, drop, 0);
	return window;
}

struct closing {
	void (*closed)(void *owner);
	void *owner;
};

static gboolean closed(GtkWidget *window, GdkEvent *event, gpointer data)
{
	struct closing *closing = data;
	closing->closed(closing->owner);
	return TRUE;
}

void touchgrid_window_watch_close(GtkWidget *window, void (*notice)(void *owner), void *owner)
{
	struct closing *closing = malloc(sizeof *closing);
	if (!closing)
		abort();
	*closing = (struct closing){notice, owner};
	g_signal_connect_data(window, "delete-event", G_CALLBACK(closed), closing, drop, 0);
}

void touchgrid_window_layer(GtkWidget *widget, GdkMonitor *monitor, int fills)
{
	GtkWindow *window = GTK_WINDOW(widget);
	gtk_layer_init_for_window(window);
	gtk_layer_set_namespace(window, "touchgrid-overlay");
	gtk_layer_set_layer(window, GTK_LAYER_SHELL_LAYER_OVERLAY);
	gtk_layer_set_monitor(window, monitor);
	gtk_layer_set_anchor(window, GTK_LAYER_SHELL_EDGE_TOP, TRUE);
	gtk_layer_set_anchor(window, GTK_LAYER_SHELL_EDGE_LEFT, TRUE);
	if (fills) {
		gtk_layer_set_anchor(window, GTK_LAYER_SHELL_EDGE_BOTTOM, TRUE);
		gtk_layer_set_anchor(window, GTK_LAYER_SHELL_EDGE_RIGHT, TRUE);
	}
	gtk_widget_set_size_request(widget, 1, 1);
	gtk_window_resize(window, 1, 1);
	gtk_layer_set_exclusive_zone(window, -1);
	gtk_layer_set_keyboard_mode(window, GTK_LAYER_SHELL_KEYBOARD_MODE_NONE);
}

void touchgrid_window_place(GtkWidget *widget, GdkRectangle place)
{
	gtk_window_move(GTK_WINDOW(widget), place.x, place.y);
	gtk_window_resize(GTK_WINDOW(widget), place.width, place.height);
}

struct ticking {
	int (*tick)(void *owner);
	void *owner;
};

static gboolean tick(GtkWidget *window, GdkFrameClock *clock, gpointer data)
{
	struct ticking *ticking = data;
	return ticking->tick(ticking->owner) ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

unsigned int touchgrid_window_tick(GtkWidget *window, int (*callback)(void *owner), void *owner)
{
	struct ticking *ticking = malloc(sizeof *ticking);
	if (!ticking)
		abort();
	*ticking = (struct ticking){callback, owner};
	return gtk_widget_add_tick_callback(window, tick, ticking, free);
}

struct source {
	void (*notice)(void *owner);
	void *owner;
};

static struct source *source_new(void (*notice)(void *owner), void *owner)
{
	struct source *source = malloc(sizeof *source);
	if (!source)
		abort();
	*source = (struct source){notice, owner};
	return source;
}

static gboolean readable(gint descriptor, GIOCondition condition, gpointer data)
{
	struct source *source = data;
	source->notice(source->owner);
	return G_SOURCE_CONTINUE;
}

unsigned int touchgrid_watch(int descriptor, void (*ready)(void *owner), void *owner)
{
	return g_unix_fd_add_full(G_PRIORITY_DEFAULT, descriptor, G_IO_IN | G_IO_HUP | G_IO_ERR,
		readable, source_new(ready, owner), free);
}

static gboolean elapsed(gpointer data)
{
	struct source *source = data;
	source->notice(source->owner);
	return G_SOURCE_REMOVE;
}

unsigned int touchgrid_timer(unsigned int milliseconds, void (*due)(void *owner), void *owner)
{
	return g_timeout_add_full(
		G_PRIORITY_DEFAULT, milliseconds, elapsed, source_new(due, owner), free);
}
