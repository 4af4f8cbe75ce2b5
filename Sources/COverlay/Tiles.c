#include "Tiles.h"

#include <gdk/gdkwayland.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

/* One is seen, one is drawn, one is on its way back. */
#define BUFFERS 3

struct buffer {
	struct wl_buffer *buffer;
	void *pixels;
	int is_busy;
};

struct tile {
	int column, row;
	struct wl_surface *surface;
	struct wl_subsurface *subsurface;
	struct buffer buffers[BUFFERS];
	struct buffer *drawn;
	int is_new;
	struct tile *next;
};

struct touchgrid_tiles {
	struct wl_compositor *compositor;
	struct wl_surface *parent;
	struct wl_callback *callback;
	int scale;
	struct tile *first;
	void (*refresh)(void *owner);
	void *owner;
};

static struct wl_shm *shm;
static struct wl_subcompositor *subcompositor;

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
	uint32_t version)
{
	if (!strcmp(interface, wl_shm_interface.name))
		shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
	else if (!strcmp(interface, wl_subcompositor_interface.name))
		subcompositor = wl_registry_bind(registry, name, &wl_subcompositor_interface, 1);
}

static void gone(void *data, struct wl_registry *registry, uint32_t name)
{
}

int touchgrid_tiles_start(GdkDisplay *gdk_display)
{
	static const struct wl_registry_listener listener = {found, gone};
	struct wl_display *display = gdk_wayland_display_get_wl_display(gdk_display);
	/* A queue of our own: GDK's events stay where they are. */
	struct wl_event_queue *queue = wl_display_create_queue(display);
	struct wl_display *wrapper = wl_proxy_create_wrapper(display);
	wl_proxy_set_queue((struct wl_proxy *)wrapper, queue);
	struct wl_registry *registry = wl_display_get_registry(wrapper);
	wl_proxy_wrapper_destroy(wrapper);
	wl_registry_add_listener(registry, &listener, NULL);
	wl_display_roundtrip_queue(display, queue);
	if (shm)
		wl_proxy_set_queue((struct wl_proxy *)shm, NULL);
	if (subcompositor)
		wl_proxy_set_queue((struct wl_proxy *)subcompositor, NULL);
	wl_registry_destroy(registry);
	wl_display_roundtrip_queue(display, queue);
	wl_event_queue_destroy(queue);
	return shm && subcompositor;
}

struct touchgrid_tiles *touchgrid_tiles_new(
	GtkWidget *window, int scale, void (*refresh)(void *owner), void *owner)
{
	GdkWindow *gdk_window = gtk_widget_get_window(window);
	struct wl_surface *parent = gdk_window ? gdk_wayland_window_get_wl_surface(gdk_window) : NULL;
	struct touchgrid_tiles *tiles = parent ? calloc(1, sizeof *tiles) : NULL;
	if (!tiles)
		return NULL;
	tiles->compositor =
		gdk_wayland_display_get_wl_compositor(gdk_window_get_display(gdk_window));
	tiles->parent = parent;
	tiles->scale = scale;
	tiles->refresh = refresh;
	tiles->owner = owner;
	return tiles;
}

static size_t stride(const struct touchgrid_tiles *tiles)
{
	return (size_t)TOUCHGRID_TILE * tiles->scale * 4;
}

static size_t size(const struct touchgrid_tiles *tiles)
{
	return stride(tiles) * TOUCHGRID_TILE * tiles->scale;
}

static void tile_free(struct touchgrid_tiles *tiles, struct tile *tile)
{
	wl_subsurface_destroy(tile->subsurface);
	wl_surface_destroy(tile->surface);
	for (int i = 0; i < BUFFERS; i++) {
		if (!tile->buffers[i].buffer)
			continue;
		wl_buffer_destroy(tile->buffers[i].buffer);
		munmap(tile->buffers[i].pixels, size(tiles));
	}
	free(tile);
}

void touchgrid_tiles_free(struct touchgrid_tiles *tiles)
{
	for (struct tile *tile = tiles->first, *next; tile; tile = next) {
		next = tile->next;
		tile_free(tiles, tile);
	}
	if (tiles->callback)
		wl_callback_destroy(tiles->callback);
	free(tiles);
}

static struct tile *find(struct touchgrid_tiles *tiles, int column, int row)
{
	struct tile *tile = tiles->first;
	while (tile && (tile->column != column || tile->row != row))
		tile = tile->next;
	return tile;
}

static struct tile *tile_new(struct touchgrid_tiles *tiles, int column, int row)
{
	struct tile *tile = calloc(1, sizeof *tile);
	if (!tile)
		return NULL;
	tile->column = column;
	tile->row = row;
	tile->is_new = 1;
	tile->surface = wl_compositor_create_surface(tiles->compositor);
	tile->subsurface =
		wl_subcompositor_get_subsurface(subcompositor, tile->surface, tiles->parent);
	wl_subsurface_set_position(
		tile->subsurface, column * TOUCHGRID_TILE, row * TOUCHGRID_TILE);
	struct wl_region *nothing = wl_compositor_create_region(tiles->compositor);
	wl_surface_set_input_region(tile->surface, nothing);
	wl_region_destroy(nothing);
	wl_surface_set_buffer_scale(tile->surface, tiles->scale);
	tile->next = tiles->first;
	tiles->first = tile;
	return tile;
}

static void released(void *data, struct wl_buffer *buffer)
{
	((struct buffer *)data)->is_busy = 0;
}

/* A buffer that the compositor does not read. */
static struct buffer *buffer_take(struct touchgrid_tiles *tiles, struct tile *tile)
{
	static const struct wl_buffer_listener listener = {released};
	struct buffer *empty = NULL;
	for (int i = 0; i < BUFFERS; i++) {
		struct buffer *buffer = &tile->buffers[i];
		if (!buffer->buffer)
			empty = empty ? empty : buffer;
		else if (!buffer->is_busy)
			return buffer;
	}
	int memory = empty ? memfd_create("touchgrid-overlay", MFD_CLOEXEC) : -1;
	if (memory < 0)
		return NULL;
	void *pixels = MAP_FAILED;
	if (!ftruncate(memory, size(tiles)))
		pixels = mmap(NULL, size(tiles), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	if (pixels != MAP_FAILED) {
		struct wl_shm_pool *pool = wl_shm_create_pool(shm, memory, size(tiles));
		int side = TOUCHGRID_TILE * tiles->scale;
		empty->buffer = wl_shm_pool_create_buffer(
			pool, 0, side, side, stride(tiles), WL_SHM_FORMAT_ARGB8888);
		empty->pixels = pixels;
		wl_buffer_add_listener(empty->buffer, &listener, empty);
		wl_shm_pool_destroy(pool);
	}
	close(memory);
	return pixels == MAP_FAILED ? NULL : empty;
}

cairo_t *touchgrid_tile_begin(struct touchgrid_tiles *tiles, int column, int row)
{
	struct tile *tile = find(tiles, column, row);
	if (!tile)
		tile = tile_new(tiles, column, row);
	tile->drawn = tile ? buffer_take(tiles, tile) : NULL;
	if (!tile || !tile->drawn)
		return NULL;
	memset(tile->drawn->pixels, 0, size(tiles));
	int side = TOUCHGRID_TILE * tiles->scale;
	cairo_surface_t *surface = cairo_image_surface_create_for_data(
		tile->drawn->pixels, CAIRO_FORMAT_ARGB32, side, side, stride(tiles));
	cairo_surface_set_device_scale(surface, tiles->scale, tiles->scale);
	cairo_surface_set_device_offset(surface, -column * (double)side, -row * (double)side);
	cairo_t *context = cairo_create(surface);
	cairo_surface_destroy(surface);
	return context;
}

void touchgrid_tile_end(struct touchgrid_tiles *tiles, cairo_t *context, int column, int row,
	const GdkRectangle *damage, int count)
{
	struct tile *tile = find(tiles, column, row);
	cairo_surface_flush(cairo_get_target(context));
	cairo_destroy(context);
	wl_surface_attach(tile->surface, tile->drawn->buffer, 0, 0);
	if (tile->is_new)
		wl_surface_damage(tile->surface, 0, 0, TOUCHGRID_TILE, TOUCHGRID_TILE);
	for (int i = 0; i < count && !tile->is_new; i++)
		wl_surface_damage(tile->surface, damage[i].x - column * TOUCHGRID_TILE,
			damage[i].y - row * TOUCHGRID_TILE, damage[i].width, damage[i].height);
	tile->is_new = 0;
	tile->drawn->is_busy = 1;
	wl_surface_commit(tile->surface);
}

void touchgrid_tile_drop(struct touchgrid_tiles *tiles, int column, int row)
{
	for (struct tile **at = &tiles->first; *at; at = &(*at)->next) {
		struct tile *tile = *at;
		if (tile->column != column || tile->row != row)
			continue;
		*at = tile->next;
		tile_free(tiles, tile);
		return;
	}
}

static void done(void *data, struct wl_callback *callback, uint32_t time)
{
	struct touchgrid_tiles *tiles = data;
	wl_callback_destroy(callback);
	tiles->callback = NULL;
	tiles->refresh(tiles->owner);
}

void touchgrid_tiles_commit(struct touchgrid_tiles *tiles)
{
	static const struct wl_callback_listener listener = {done};
	if (!tiles->callback) {
		tiles->callback = wl_surface_frame(tiles->parent);
		wl_callback_add_listener(tiles->callback, &listener, tiles);
	}
	wl_surface_commit(tiles->parent);
}
