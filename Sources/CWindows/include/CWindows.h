/* Which windows are shown, on Wayland and on X11. Every text is UTF-8 as its window has it, and may be anything. */
#ifndef CWINDOWS_H
#define CWINDOWS_H

#include <stdint.h>

/* A window that is shown on an output, or, where the output is NULL, wherever. Texts are never NULL. */
typedef void (*touchgrid_window_body)(
	void *context, const char *output, const char *app, const char *title);

/* Wayland: the toplevels that wlr-foreign-toplevel-management tells of. */
struct touchgrid_toplevels;

enum touchgrid_toplevels_refusal { TOUCHGRID_NO_COMPOSITOR = 1, TOUCHGRID_NO_PROTOCOL };

/* Connects to the compositor that the environment names. NULL, and why, where that is not possible. */
struct touchgrid_toplevels *touchgrid_toplevels_open(enum touchgrid_toplevels_refusal *refusal);
void touchgrid_toplevels_close(struct touchgrid_toplevels *toplevels);
int touchgrid_toplevels_descriptor(struct touchgrid_toplevels *toplevels);
/* Takes what has come in, without waiting. 1: something may have changed; 0: nothing; -1: the compositor is gone. */
int touchgrid_toplevels_take(struct touchgrid_toplevels *toplevels);
/* The window that was active last, on each output where there are several. */
void touchgrid_toplevels_shown(
	struct touchgrid_toplevels *toplevels, touchgrid_window_body body, void *context);

/* The current mode of an output, in pixels before rotation; both are above 0. */
typedef void (*touchgrid_mode_body)(
	void *context, const char *output, int32_t width, int32_t height);

/* The outputs that have a name (since version 4 of wl_output) and a current mode. */
void touchgrid_toplevels_modes(
	struct touchgrid_toplevels *toplevels, touchgrid_mode_body body, void *context);

/* X11: the active window as the window manager tells it; without one the topmost. */
struct touchgrid_x11;

/* Connects to the server that DISPLAY names; NULL where that is not possible. */
struct touchgrid_x11 *touchgrid_x11_open(void);
void touchgrid_x11_close(struct touchgrid_x11 *x11);
int touchgrid_x11_descriptor(struct touchgrid_x11 *x11);
/* As above. */
int touchgrid_x11_take(struct touchgrid_x11 *x11);
/* Whether what is to be taken has come in with answers, so that the descriptor does not tell. */
int touchgrid_x11_has_news(struct touchgrid_x11 *x11);
/* The window that is shown; the output is NULL. */
void touchgrid_x11_shown(struct touchgrid_x11 *x11, touchgrid_window_body body, void *context);

#endif
