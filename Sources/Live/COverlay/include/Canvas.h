/* A picture over a whole Wayland output, on one permanent surface as large as the output. Only the
 * changed parts of its buffers are drawn, whereas GTK would copy the whole window for each
 * frame. */
#ifndef TOUCHGRID_CANVAS_H
#define TOUCHGRID_CANVAS_H

#include <gtk/gtk.h>

/* One buffer is on the screen, one is being drawn, and one is being returned by the compositor. */
#define TOUCHGRID_BUFFERS 3

struct touchgrid_canvas;

/* Binds the globals that canvases need. Returns 0 if the compositor lacks one, such as the layer
 * shell. */
int touchgrid_canvas_start(GdkDisplay *display);
/* Returns whether the compositor itself keeps lock screens above everything else. */
int touchgrid_has_session_lock(void);

/* Creates a canvas that begins at the top left of a layer shell window. Call it while that window
 * is drawn. The size is in points of `scale` pixels each. `refresh` is called once after each
 * commit, when the compositor is ready for the next frame. Returns NULL if the window has no
 * surface. */
struct touchgrid_canvas *touchgrid_canvas_new(GtkWidget *window, int width, int height, int scale,
	void (*refresh)(void *owner), void *owner);
void touchgrid_canvas_free(struct touchgrid_canvas *canvas);

/* Returns a context, in points, on a buffer that the compositor is not using. `number` is set to
 * the index of the buffer. The buffer still has its last drawing; it is empty at first. Returns
 * NULL if no buffer is available. */
cairo_t *touchgrid_canvas_begin(struct touchgrid_canvas *canvas, int *number);
/* Ends the drawing on buffer `number`. The buffer may differ from the screen only within `damage`,
 * which is in points and must lie within the canvas. */
void touchgrid_canvas_end(
	struct touchgrid_canvas *canvas, cairo_t *context, int number, const cairo_region_t *damage);
/* Shows the drawing. `refresh` is called afterwards, even if nothing was drawn. */
void touchgrid_canvas_commit(struct touchgrid_canvas *canvas);

#endif
