/* A picture over an output on Wayland: one surface as large as the output, which is always there, and of whose
 * buffers only what changes is drawn. GTK would copy the whole of it for each frame. */
#ifndef TOUCHGRID_CANVAS_H
#define TOUCHGRID_CANVAS_H

#include <gtk/gtk.h>

/* One is seen, one is drawn, one is on its way back. */
#define TOUCHGRID_BUFFERS 3

struct touchgrid_canvas;

/* Finds what canvases need; 0 where the compositor lacks it, the layer shell above all. */
int touchgrid_canvas_start(GdkDisplay *display);
/* Whether the compositor keeps lock screens above everything else. */
int touchgrid_has_session_lock(void);

/* From the top left of a window of the layer shell that is being drawn; its size in points, `scale` pixels each.
 * `refresh` is called once after each commit, when another would be seen. */
struct touchgrid_canvas *touchgrid_canvas_new(GtkWidget *window, int width, int height, int scale,
	void (*refresh)(void *owner), void *owner);
void touchgrid_canvas_free(struct touchgrid_canvas *canvas);

/* Something to draw on, in points: a buffer that the compositor does not read, `number` of those there are. It
 * holds what was drawn on it before, at first nothing. NULL where there is none. */
cairo_t *touchgrid_canvas_begin(struct touchgrid_canvas *canvas, int *number);
/* It is drawn; it differs from what is seen within `damage` alone, in points, all within the canvas. */
void touchgrid_canvas_end(
	struct touchgrid_canvas *canvas, cairo_t *context, int number, const cairo_region_t *damage);
/* Shows what was drawn; `refresh` comes, drawn or not. */
void touchgrid_canvas_commit(struct touchgrid_canvas *canvas);

#endif
