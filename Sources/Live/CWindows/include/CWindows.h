/* Finds the windows that are shown, on Wayland and on X11, and the modes of outputs on Wayland.
 * Texts are passed on as the windows set them. They should be UTF-8, but may be any bytes. */
#ifndef CWINDOWS_H
#define CWINDOWS_H

#include <stdint.h>

/* Receives a window that is shown on an output. The output is NULL if there is only one or if it is
 * not known. The other texts are never NULL. `is_full_screen` is 1 if the window covers its output. */
typedef void (*touchgrid_window_body)(
	void *context, const char *output, const char *app, const char *title, int is_full_screen);

/* Wayland: the windows ("toplevels") that wlr-foreign-toplevel-management reports. */
struct touchgrid_toplevels;

enum touchgrid_toplevels_refusal { TOUCHGRID_NO_COMPOSITOR = 1, TOUCHGRID_NO_PROTOCOL };

/* Connects to the compositor that the environment names. If that fails, returns NULL and sets
 * `refusal`. */
struct touchgrid_toplevels *touchgrid_toplevels_open(enum touchgrid_toplevels_refusal *refusal);
void touchgrid_toplevels_close(struct touchgrid_toplevels *toplevels);
int touchgrid_toplevels_descriptor(struct touchgrid_toplevels *toplevels);
/* Reads the messages that have arrived, without waiting. Returns 1 if something may have
 * changed, 0 if not, and -1 if the compositor is gone. */
int touchgrid_toplevels_take(struct touchgrid_toplevels *toplevels);
/* Reports the last activated window that is not minimized; with several outputs, that of each
 * output. Reports nothing if there is none. */
void touchgrid_toplevels_shown(
	struct touchgrid_toplevels *toplevels, touchgrid_window_body body, void *context);

/* Receives the size of an output in its current mode, in pixels before rotation, above 0. */
typedef void (*touchgrid_mode_body)(
	void *context, const char *output, int32_t width, int32_t height);

/* Reports each output that has a name (since version 4 of wl_output) and a current mode. */
void touchgrid_toplevels_modes(
	struct touchgrid_toplevels *toplevels, touchgrid_mode_body body, void *context);

/* X11: the active window, as the window manager reports it; without one, the topmost window. */
struct touchgrid_x11;

/* Connects to the server that DISPLAY names. Returns NULL if that fails. */
struct touchgrid_x11 *touchgrid_x11_open(void);
void touchgrid_x11_close(struct touchgrid_x11 *x11);
int touchgrid_x11_descriptor(struct touchgrid_x11 *x11);
/* Reads the messages that have arrived, like touchgrid_toplevels_take. */
int touchgrid_x11_take(struct touchgrid_x11 *x11);
/* Returns whether a change has arrived together with a reply, in which case the descriptor is not
 * readable. */
int touchgrid_x11_has_news(struct touchgrid_x11 *x11);
/* Reports the window that is shown, with NULL as its output; nothing if there is none. */
void touchgrid_x11_shown(struct touchgrid_x11 *x11, touchgrid_window_body body, void *context);

#endif
