/* What Swift cannot import of GTK: casts, signals with arguments, deprecated calls without which there is no way.
 * All for the thread that runs the main loop. */
#ifndef COVERLAY_H
#define COVERLAY_H

#include <gtk/gtk.h>
#include <stdint.h>

#include "Canvas.h"

/* Connects to the display that the environment names; 0 where there is none. `backend`: "wayland" or "x11". */
int touchgrid_gtk_start(const char *backend);

/* Calls back with `owner` at each signal of this name, whose result is nothing. */
unsigned long touchgrid_signal_connect(
	void *instance, const char *signal, void (*notice)(void *owner), void *owner);
void touchgrid_signal_disconnect(void *instance, unsigned long handler);

/* The connector of a monitor, such as "HDMI-A-1"; NULL where it is not known. */
char *touchgrid_monitor_connector(GdkDisplay *display, int index);

/* A window that can be seen through, takes no focus and no input, and is drawn by `draw` alone.
 * `is_popup`: override-redirect, for X11. */
GtkWidget *touchgrid_window_new(
	int is_popup, int is_translucent, void (*draw)(void *owner, cairo_t *context), void *owner);
/* Puts it above everything on a monitor, on Wayland: one transparent point at the top left, from
 * which a canvas reaches over the rest. */
void touchgrid_window_layer(GtkWidget *window, GdkMonitor *monitor);
/* Puts it somewhere, on X11. */
void touchgrid_window_place(GtkWidget *window, GdkRectangle place);
/* Calls back when it is asked to close, as a compositor does that wants it no longer. It does not close by itself. */
void touchgrid_window_watch_close(GtkWidget *window, void (*closed)(void *owner), void *owner);

/* What lies above a window of ours on X11, where it can be seen. */
enum touchgrid_x11_above {
	TOUCHGRID_NOTHING_ABOVE,
	TOUCHGRID_SOMETHING_ABOVE,
	/* A lock screen, which nothing may cover: a window that covers ours, takes input and that no window manager
	 * manages. */
	TOUCHGRID_LOCK_ABOVE,
};
/* What does so now. */
enum touchgrid_x11_above touchgrid_x11_above(GtkWidget *window);
/* Brings it above all that can be seen on its place, but never above a lock screen. What was above it before. */
enum touchgrid_x11_above touchgrid_x11_raise(GtkWidget *window);
/* Puts it below all others. */
void touchgrid_x11_lower(GtkWidget *window);
/* Shows it below all others; nothing of it is seen yet. */
void touchgrid_x11_show(GtkWidget *window);
/* Changes where it is seen, from the shape `old` to `new`, and draws the parts given, among them all that is uncovered,
 * so that nobody who takes pictures of the screen sees the one without the other. `draw` is called once for each part,
 * which is the clip; all in points. */
void touchgrid_x11_present(GtkWidget *window, const cairo_region_t *old,
	const cairo_region_t *new, const GdkRectangle *parts, int count,
	void (*draw)(void *owner, cairo_t *context), void *owner);

struct touchgrid_x11_notice;
/* Calls `changed` whenever a window came on the screen or went; when one moved or was raised, at most once in 100 ms: of
 * two that each want to be above the other, neither would ever rest. */
struct touchgrid_x11_notice *touchgrid_x11_watch(
	GtkWidget *window, void (*changed)(void *owner), void *owner);
void touchgrid_x11_unwatch(struct touchgrid_x11_notice *notice);

/* Calls `tick` once a refresh until it returns 0. */
unsigned int touchgrid_window_tick(GtkWidget *window, int (*tick)(void *owner), void *owner);

/* Calls `ready` whenever a descriptor is readable, or broken. */
unsigned int touchgrid_watch(int descriptor, void (*ready)(void *owner), void *owner);
/* Calls `due` once. */
unsigned int touchgrid_timer(unsigned int milliseconds, void (*due)(void *owner), void *owner);

#endif
