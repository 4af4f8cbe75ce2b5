/* Transparent windows that take touches and clicks away from all other programs. */
#ifndef TOUCHGRID_SHIELD_H
#define TOUCHGRID_SHIELD_H

#include <gtk/gtk.h>
#include <stdint.h>

/* Calls `input` when a finger or a button goes down on the window (`is_down` is 1), and when it goes
 * up (0). `contact` identifies the finger or button meanwhile. Call this before the window is
 * shown. */
void touchgrid_window_watch_input(GtkWidget *window,
	void (*input)(void *owner, uintptr_t contact, int is_down), void *owner);
/* Limits the input of a window that is shown to a region, in points; NULL: no limit. */
void touchgrid_window_limit_input(GtkWidget *window, const cairo_region_t *region);

/* Creates a window on X11 that takes input and has no content, so that it needs no compositing
 * manager. */
GtkWidget *touchgrid_x11_shield_new(void);
/* Shows that window above all others, but below a lock screen. */
void touchgrid_x11_shield_show(GtkWidget *shield, GdkRectangle place);

/* Runs a command by sh, in a process group of its own. `ended` is called with its exit status, or
 * with 128 plus the number of the signal that ended it. Returns the number of its process, or 0 if
 * it cannot be started. */
int touchgrid_run(const char *command, void (*ended)(void *owner, int status), void *owner);

#endif
