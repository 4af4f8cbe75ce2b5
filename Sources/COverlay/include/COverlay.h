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
/* Lets it be seen in a region alone, on X11. */
void touchgrid_window_shape(GtkWidget *window, cairo_region_t *region);

/* Brings a window of ours above all that can be seen on its place, on X11. 0 where a lock screen is above it, which
 * nothing may cover: a window there that covers it, takes input and that no window manager manages. */
int touchgrid_x11_raise(GtkWidget *window);
/* Puts it below all others, and lets the server not paint what is uncovered of it. */
void touchgrid_x11_settle(GtkWidget *window);

struct touchgrid_x11_notice;
/* Calls `changed` whenever a window came on the screen or went. Not when one moved: two that each want to be above the
 * other would never rest. */
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
