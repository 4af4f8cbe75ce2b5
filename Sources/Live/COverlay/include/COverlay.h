/* The parts of GTK that Swift cannot import: casts, signals with arguments, and deprecated
 * functions that have no replacement. Call all of them on the thread that runs the main loop. */
#ifndef COVERLAY_H
#define COVERLAY_H

#include <gtk/gtk.h>
#include <stdint.h>

#include "Canvas.h"
#include "Power.h"
#include "Shield.h"

/* Connects to the display that the environment names. `backend` is "wayland" or "x11". Returns 0 if
 * the connection fails. */
int touchgrid_gtk_start(const char *backend);

/* Calls `notice` with `owner` at each emission of a signal. The signal must have no return
 * value. */
unsigned long touchgrid_signal_connect(
	void *instance, const char *signal, void (*notice)(void *owner), void *owner);
void touchgrid_signal_disconnect(void *instance, unsigned long handler);

/* Returns the connector of a monitor, such as "HDMI-A-1", to be freed with g_free; NULL if it is
 * not known. */
char *touchgrid_monitor_connector(GdkDisplay *display, int index);

/* Creates a window that takes no focus and is drawn by `draw` alone. `is_popup` makes it
 * override-redirect, for X11. `is_translucent` gives it an alpha channel, if the screen has one.
 * Unless `takes_input` is set, touches and clicks go to the windows below. */
GtkWidget *touchgrid_window_new(int is_popup, int is_translucent, int takes_input,
	void (*draw)(void *owner, cairo_t *context), void *owner);
/* Places the window above everything else on a monitor, on Wayland. The window is one transparent
 * point at the top left, or fills the monitor; a canvas that begins there covers the rest. */
void touchgrid_window_layer(GtkWidget *window, GdkMonitor *monitor, int fills);
/* Moves and resizes a window, on X11. */
void touchgrid_window_place(GtkWidget *window, GdkRectangle place);
/* Calls `closed` when the compositor asks the window to close. The window does not close by
 * itself. */
void touchgrid_window_watch_close(GtkWidget *window, void (*closed)(void *owner), void *owner);

/* The kind of window above one of our windows on X11. Only windows that are visible, overlap ours
 * and take input count. */
enum touchgrid_x11_above {
	TOUCHGRID_NOTHING_ABOVE,
	TOUCHGRID_SOMETHING_ABOVE,
	/* A lock screen, which nothing may cover: a window that covers ours, takes input and
	 * bypasses the window manager. */
	TOUCHGRID_LOCK_ABOVE,
};
/* Returns the kind of window above the window. */
enum touchgrid_x11_above touchgrid_x11_above(GtkWidget *window);
/* Raises the window above all windows that overlap it, but never above a lock screen. Returns
 * the kind of window that was above it before. */
enum touchgrid_x11_above touchgrid_x11_raise(GtkWidget *window);
/* Lowers the window below all others. */
void touchgrid_x11_lower(GtkWidget *window);
/* Shows the window below all others, with an empty shape, so that nothing of it is visible yet. */
void touchgrid_x11_show(GtkWidget *window);
/* Changes the shape of the window from `old` to `new` and draws `parts`, which must include
 * everything that becomes visible. Both happen at the same time, so that no screenshot shows one
 * without the other. `draw` is called once for each part, with the part as its clip. All values are
 * in points. */
void touchgrid_x11_present(GtkWidget *window, const cairo_region_t *old,
	const cairo_region_t *new, const GdkRectangle *parts, int count,
	void (*draw)(void *owner, cairo_t *context), void *owner);

struct touchgrid_x11_notice;
/* Calls `changed` whenever a window appears or disappears, and at most every 100 ms when one is
 * moved or raised. Without this limit, two windows that both want to be on top would constantly
 * raise themselves. */
struct touchgrid_x11_notice *touchgrid_x11_watch(
	GtkWidget *window, void (*changed)(void *owner), void *owner);
void touchgrid_x11_unwatch(struct touchgrid_x11_notice *notice);

/* Calls `tick` once per refresh until it returns 0. Returns the ID of the callback. */
unsigned int touchgrid_window_tick(GtkWidget *window, int (*tick)(void *owner), void *owner);

/* Calls `ready` whenever the descriptor is readable or has failed. Returns the ID of the event
 * source, for g_source_remove. */
unsigned int touchgrid_watch(int descriptor, void (*ready)(void *owner), void *owner);
/* Calls `due` once, after the given time. Returns the ID of the event source, which GLib removes
 * after that call. */
unsigned int touchgrid_timer(unsigned int milliseconds, void (*due)(void *owner), void *owner);

#endif
