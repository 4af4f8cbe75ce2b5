#include "Canvas.h"
#include "PowerProtocol.h"

#include <gdk/gdkwayland.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

struct buffer {
	struct wl_buffer *buffer;
	void *pixels;
	int is_busy;
};

struct touchgrid_canvas {
	struct wl_surface *surface;
	struct wl_subsurface *subsurface;
	struct wl_callback *callback;
	struct buffer buffers[TOUCHGRID_BUFFERS];
	/* In pixels. */
	int width, height;
	int scale;
	void (*refresh)(void *owner);
	void *owner;
};

static struct wl_compositor *compositor;
static struct wl_subcompositor *subcompositor;
static struct wl_shm *shm;
static struct wl_proxy *power_manager;
static int has_layer_shell, has_session_lock;

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
	uint32_t version)
{
	/* Version 4 adds damage in pixels of the buffer (wl_surface.damage_buffer). */
	if (!strcmp(interface, wl_compositor_interface.name) && version >= 4)
		compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 4);
	else if (!strcmp(interface, wl_subcompositor_interface.name))
		subcompositor = wl_registry_bind(registry, name, &wl_subcompositor_interface, 1);
	else if (!strcmp(interface, wl_shm_interface.name))
		shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
	else if (!strcmp(interface, touchgrid_power_manager_interface.name))
		power_manager = wl_registry_bind(registry, name, &touchgrid_power_manager_interface, 1);
	else if (!strcmp(interface, "zwlr_layer_shell_v1"))
		has_layer_shell = 1;
	/* KDE has a session lock of its own, for which it announces no protocol. */
	else if (!strcmp(interface, "ext_session_lock_manager_v1")
		|| !strcmp(interface, "org_kde_plasma_shell"))
		has_session_lock = 1;
}

static void gone(void *data, struct wl_registry *registry, uint32_t name)
{
}

int touchgrid_canvas_start(GdkDisplay *gdk_display)
{
	static const struct wl_registry_listener listener = {found, gone};
	struct wl_display *display = gdk_wayland_display_get_wl_display(gdk_display);
	/* A separate event queue leaves GDK's events to GDK. */
	struct wl_event_queue *queue = wl_display_create_queue(display);
	struct wl_display *wrapper = wl_proxy_create_wrapper(display);
	wl_proxy_set_queue((struct wl_proxy *)wrapper, queue);
	struct wl_registry *registry = wl_display_get_registry(wrapper);
	wl_proxy_wrapper_destroy(wrapper);
	wl_registry_add_listener(registry, &listener, NULL);
	wl_display_roundtrip_queue(display, queue);
	void *bound[] = {compositor, subcompositor, shm};
	int is_complete = has_layer_shell;
	for (size_t i = 0; i < G_N_ELEMENTS(bound); i++) {
		if (bound[i])
			wl_proxy_set_queue(bound[i], NULL);
		else
			is_complete = 0;
	}
	if (power_manager)
		wl_proxy_set_queue(power_manager, NULL);
	wl_registry_destroy(registry);
	wl_event_queue_destroy(queue);
	return is_complete;
}

int touchgrid_has_session_lock(void)
{
	return has_session_lock;
}

struct wl_proxy *touchgrid_power_manager(void)
{
	return power_manager;
}

struct touchgrid_canvas *touchgrid_canvas_new(GtkWidget *window, int width, int height, int scale,
	void (*refresh)(void *owner), void *owner)
{
	GdkWindow *gdk_window = gtk_widget_get_window(window);
	struct wl_surface *parent = gdk_window ? gdk_wayland_window_get_wl_surface(gdk_window) : NULL;
	struct touchgrid_canvas *canvas = parent ? calloc(1, sizeof *canvas) : NULL;
	if (!canvas)
		return NULL;
	canvas->width = width * scale;
	canvas->height = height * scale;
	canvas->scale = scale;
	canvas->refresh = refresh;
	canvas->owner = owner;
	canvas->surface = wl_compositor_create_surface(compositor);
	/* The subsurface appears with the window's next commit, which GTK makes after drawing the
	 * window. */
	canvas->subsurface = wl_subcompositor_get_subsurface(subcompositor, canvas->surface, parent);
	wl_subsurface_set_desync(canvas->subsurface);
	struct wl_region *nothing = wl_compositor_create_region(compositor);
	wl_surface_set_input_region(canvas->surface, nothing);
	wl_region_destroy(nothing);
	wl_surface_set_buffer_scale(canvas->surface, scale);
	return canvas;
}

static size_t stride(const struct touchgrid_canvas *canvas)
{
	return (size_t)canvas->width * 4;
}

static size_t size(const struct touchgrid_canvas *canvas)
{
	return stride(canvas) * canvas->height;
}

void touchgrid_canvas_free(struct touchgrid_canvas *canvas)
{
	if (canvas->callback)
		wl_callback_destroy(canvas->callback);
	wl_subsurface_destroy(canvas->subsurface);
	wl_surface_destroy(canvas->surface);
	for (int i = 0; i < TOUCHGRID_BUFFERS; i++) {
		if (!canvas->buffers[i].buffer)
			continue;
		wl_buffer_destroy(canvas->buffers[i].buffer);
		munmap(canvas->buffers[i].pixels, size(canvas));
	}
	free(canvas);
}

static void released(void *data, struct wl_buffer *buffer)
{
	((struct buffer *)data)->is_busy = 0;
}

static int buffer_make(struct touchgrid_canvas *canvas, struct buffer *buffer)
{
	static const struct wl_buffer_listener listener = {released};
	int memory = size(canvas) > INT32_MAX ? -1 : memfd_create("touchgrid-overlay", MFD_CLOEXEC);
	if (memory < 0)
		return 0;
	void *pixels = MAP_FAILED;
	if (!ftruncate(memory, size(canvas)))
		pixels = mmap(NULL, size(canvas), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	if (pixels != MAP_FAILED) {
		struct wl_shm_pool *pool = wl_shm_create_pool(shm, memory, size(canvas));
		buffer->buffer = wl_shm_pool_create_buffer(pool, 0, canvas->width, canvas->height,
			stride(canvas), WL_SHM_FORMAT_ARGB8888);
		buffer->pixels = pixels;
		wl_buffer_add_listener(buffer->buffer, &listener, buffer);
		wl_shm_pool_destroy(pool);
	}
	close(memory);
	return pixels != MAP_FAILED;
}

/* Returns a buffer that is not in use, preferably an existing one; NULL if there is none. */
static struct buffer *buffer_take(struct touchgrid_canvas *canvas)
{
	struct buffer *empty = NULL;
	for (int i = 0; i < TOUCHGRID_BUFFERS; i++) {
		struct buffer *buffer = &canvas->buffers[i];
		if (!buffer->buffer)
			empty = empty ? empty : buffer;
		else if (!buffer->is_busy)
			return buffer;
	}
	return empty && buffer_make(canvas, empty) ? empty : NULL;
}

cairo_t *touchgrid_canvas_begin(struct touchgrid_canvas *canvas, int *number)
{
	struct buffer *buffer = buffer_take(canvas);
	if (!buffer)
		return NULL;
	*number = buffer - canvas->buffers;
	cairo_surface_t *surface = cairo_image_surface_create_for_data(
		buffer->pixels, CAIRO_FORMAT_ARGB32, canvas->width, canvas->height, stride(canvas));
	cairo_surface_set_device_scale(surface, canvas->scale, canvas->scale);
	cairo_t *context = cairo_create(surface);
	cairo_surface_destroy(surface);
	return context;
}

void touchgrid_canvas_end(
	struct touchgrid_canvas *canvas, cairo_t *context, int number, const cairo_region_t *damage)
{
	cairo_surface_flush(cairo_get_target(context));
	cairo_destroy(context);
	canvas->buffers[number].is_busy = 1;
	wl_surface_attach(canvas->surface, canvas->buffers[number].buffer, 0, 0);
	for (int i = 0; i < cairo_region_num_rectangles(damage); i++) {
		cairo_rectangle_int_t part;
		cairo_region_get_rectangle(damage, i, &part);
		wl_surface_damage_buffer(canvas->surface, part.x * canvas->scale,
			part.y * canvas->scale, part.width * canvas->scale, part.height * canvas->scale);
	}
}

static void done(void *data, struct wl_callback *callback, uint32_t time)
{
	struct touchgrid_canvas *canvas = data;
	wl_callback_destroy(callback);
	canvas->callback = NULL;
	canvas->refresh(canvas->owner);
}

void touchgrid_canvas_commit(struct touchgrid_canvas *canvas)
{
	static const struct wl_callback_listener listener = {done};
	if (!canvas->callback) {
		canvas->callback = wl_surface_frame(canvas->surface);
		wl_callback_add_listener(canvas->callback, &listener, canvas);
	}
	wl_surface_commit(canvas->surface);
}
