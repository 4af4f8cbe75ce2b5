/* A picture over an output on Wayland, made of squares of which only those are there that show something: a window as
 * large as the output would be copied whole for each frame. */
#ifndef TOUCHGRID_TILES_H
#define TOUCHGRID_TILES_H

#include <gtk/gtk.h>

/* Points along the side of a tile. */
#define TOUCHGRID_TILE 128

struct touchgrid_tiles;

/* Finds what tiles need; 0 where the compositor lacks it. */
int touchgrid_tiles_start(GdkDisplay *display);

/* Tiles around the top left of a window that has been drawn, `scale` pixels a point; `refresh` is called after each
 * commit, when another would be seen. */
struct touchgrid_tiles *touchgrid_tiles_new(
	GtkWidget *window, int scale, void (*refresh)(void *owner), void *owner);
void touchgrid_tiles_free(struct touchgrid_tiles *tiles);

/* A clear tile to draw on, in points of the output; NULL where there is no memory for it. */
cairo_t *touchgrid_tile_begin(struct touchgrid_tiles *tiles, int column, int row);
/* It is drawn; it differs from what was seen within `damage` alone, in points of the output. */
void touchgrid_tile_end(struct touchgrid_tiles *tiles, cairo_t *context, int column, int row,
	const GdkRectangle *damage, int count);
/* It shows nothing any more. */
void touchgrid_tile_drop(struct touchgrid_tiles *tiles, int column, int row);
/* Shows what was drawn, all of it at once. */
void touchgrid_tiles_commit(struct touchgrid_tiles *tiles);

#endif
