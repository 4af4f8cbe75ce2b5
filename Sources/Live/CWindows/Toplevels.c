#include "CWindows.h"
#include "Protocols/wlr-foreign-toplevel-management-unstable-v1-client-protocol.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wayland-client.h>

/* ---- State. */

struct output {
	struct output *next;
	struct touchgrid_toplevels *owner;
	struct wl_output *proxy;
	uint32_t global;
	char *name;
	/* The size in the current mode, in pixels before rotation; 0 if unknown. */
	int32_t width, height;
};

struct placing {
	struct placing *next;
	struct wl_output *output;
};

struct toplevel {
	struct toplevel *next;
	struct touchgrid_toplevels *owner;
	struct zwlr_foreign_toplevel_handle_v1 *proxy;
	char *app, *title;
	struct placing *placings;
	int is_active, is_minimized, is_full_screen;
	/* The number of this window's last activation; 0 if it was never active. */
	uint64_t activation;
};

struct touchgrid_toplevels {
	struct wl_display *display;
	struct wl_registry *registry;
	struct zwlr_foreign_toplevel_manager_v1 *manager;
	struct output *outputs;
	struct toplevel *toplevels;
	uint64_t activations;
	int is_changed, is_over;
};

static void set_text(char **text, const char *value)
{
	char *copy = strdup(value ? value : "");
	if (copy) {
		free(*text);
		*text = copy;
	}
}

/* ---- Toplevels. */

static void take_title(void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy, const char *title)
{
	set_text(&((struct toplevel *)data)->title, title);
	(void)proxy;
}

static void take_app(void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy, const char *app)
{
	set_text(&((struct toplevel *)data)->app, app);
	(void)proxy;
}

static void take_leave(
	void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy, struct wl_output *output)
{
	struct toplevel *toplevel = data;
	(void)proxy;
	for (struct placing **place = &toplevel->placings; *place; place = &(*place)->next)
		if ((*place)->output == output) {
			struct placing *gone = *place;
			*place = gone->next;
			free(gone);
			return;
		}
}

static void take_enter(
	void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy, struct wl_output *output)
{
	struct toplevel *toplevel = data;
	struct placing *placing = calloc(1, sizeof *placing);
	if (!placing || !output) {
		free(placing);
		return;
	}
	take_leave(data, proxy, output);
	placing->output = output;
	placing->next = toplevel->placings;
	toplevel->placings = placing;
}

static void take_state(
	void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy, struct wl_array *states)
{
	struct toplevel *toplevel = data;
	int was_active = toplevel->is_active;
	uint32_t *state;
	(void)proxy;
	toplevel->is_active = toplevel->is_minimized = toplevel->is_full_screen = 0;
	wl_array_for_each(state, states) {
		toplevel->is_active |= *state == ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_ACTIVATED;
		toplevel->is_minimized |= *state == ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_MINIMIZED;
		toplevel->is_full_screen |= *state == ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_FULLSCREEN;
	}
	if (toplevel->is_active && !was_active)
		toplevel->activation = ++toplevel->owner->activations;
}

static void take_done(void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy)
{
	((struct toplevel *)data)->owner->is_changed = 1;
	(void)proxy;
}

static void forget(struct toplevel *toplevel)
{
	while (toplevel->placings) {
		struct placing *next = toplevel->placings->next;
		free(toplevel->placings);
		toplevel->placings = next;
	}
	free(toplevel->app);
	free(toplevel->title);
	free(toplevel);
}

static void take_closed(void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy)
{
	struct toplevel *toplevel = data;
	struct touchgrid_toplevels *owner = toplevel->owner;
	for (struct toplevel **place = &owner->toplevels; *place; place = &(*place)->next)
		if (*place == toplevel) {
			*place = toplevel->next;
			break;
		}
	forget(toplevel);
	zwlr_foreign_toplevel_handle_v1_destroy(proxy);
	owner->is_changed = 1;
}

static void take_parent(
	void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy,
	struct zwlr_foreign_toplevel_handle_v1 *parent)
{
	(void)data, (void)proxy, (void)parent;
}

static const struct zwlr_foreign_toplevel_handle_v1_listener toplevel_listener = {
	.title = take_title, .app_id = take_app, .output_enter = take_enter,
	.output_leave = take_leave, .state = take_state, .done = take_done, .closed = take_closed,
	.parent = take_parent,
};

static void take_toplevel(
	void *data, struct zwlr_foreign_toplevel_manager_v1 *manager,
	struct zwlr_foreign_toplevel_handle_v1 *proxy)
{
	struct touchgrid_toplevels *toplevels = data;
	struct toplevel *toplevel = calloc(1, sizeof *toplevel);
	(void)manager;
	if (!toplevel)
		return;
	toplevel->owner = toplevels;
	toplevel->proxy = proxy;
	set_text(&toplevel->app, "");
	set_text(&toplevel->title, "");
	toplevel->next = toplevels->toplevels;
	toplevels->toplevels = toplevel;
	zwlr_foreign_toplevel_handle_v1_add_listener(proxy, &toplevel_listener, toplevel);
}

static void take_finished(void *data, struct zwlr_foreign_toplevel_manager_v1 *manager)
{
	((struct touchgrid_toplevels *)data)->is_over = 1;
	(void)manager;
}

static const struct zwlr_foreign_toplevel_manager_v1_listener manager_listener = {
	.toplevel = take_toplevel, .finished = take_finished,
};

/* ---- Outputs and other globals. */

static void take_geometry(
	void *data, struct wl_output *output, int32_t x, int32_t y, int32_t width, int32_t height,
	int32_t subpixel, const char *make, const char *model, int32_t transform)
{
	(void)data, (void)output, (void)x, (void)y, (void)width, (void)height, (void)subpixel,
		(void)make, (void)model, (void)transform;
}

static void take_mode(
	void *data, struct wl_output *output, uint32_t flags, int32_t width, int32_t height,
	int32_t refresh)
{
	if (flags & WL_OUTPUT_MODE_CURRENT) {
		((struct output *)data)->width = width;
		((struct output *)data)->height = height;
	}
	(void)output, (void)refresh;
}

static void take_output_done(void *data, struct wl_output *output)
{
	((struct output *)data)->owner->is_changed = 1;
	(void)output;
}

static void take_scale(void *data, struct wl_output *output, int32_t factor)
{
	(void)data, (void)output, (void)factor;
}

static void take_name(void *data, struct wl_output *output, const char *name)
{
	set_text(&((struct output *)data)->name, name);
	(void)output;
}

static void take_description(void *data, struct wl_output *output, const char *description)
{
	(void)data, (void)output, (void)description;
}

static const struct wl_output_listener output_listener = {
	.geometry = take_geometry, .mode = take_mode, .done = take_output_done, .scale = take_scale,
	.name = take_name, .description = take_description,
};

static void take_global(
	void *data, struct wl_registry *registry, uint32_t global, const char *interface,
	uint32_t version)
{
	struct touchgrid_toplevels *toplevels = data;
	if (!strcmp(interface, zwlr_foreign_toplevel_manager_v1_interface.name) &&
		!toplevels->manager) {
		toplevels->manager = wl_registry_bind(
			registry, global, &zwlr_foreign_toplevel_manager_v1_interface,
			version < 3 ? version : 3);
		if (toplevels->manager)
			zwlr_foreign_toplevel_manager_v1_add_listener(
				toplevels->manager, &manager_listener, toplevels);
	} else if (!strcmp(interface, wl_output_interface.name)) {
		struct output *output = calloc(1, sizeof *output);
		if (!output)
			return;
		output->owner = toplevels;
		output->global = global;
		/* Outputs have names from version 4 on. */
		output->proxy = wl_registry_bind(
			registry, global, &wl_output_interface, version < 4 ? version : 4);
		if (output->proxy)
			wl_output_add_listener(output->proxy, &output_listener, output);
		output->next = toplevels->outputs;
		toplevels->outputs = output;
	}
}

static void forget_output(struct output *output)
{
	if (output->proxy)
		wl_output_destroy(output->proxy);
	free(output->name);
	free(output);
}

static void take_global_remove(void *data, struct wl_registry *registry, uint32_t global)
{
	struct touchgrid_toplevels *toplevels = data;
	(void)registry;
	for (struct output **place = &toplevels->outputs; *place; place = &(*place)->next)
		if ((*place)->global == global) {
			struct output *gone = *place;
			*place = gone->next;
			for (struct toplevel *each = toplevels->toplevels; each; each = each->next)
				take_leave(each, each->proxy, gone->proxy);
			forget_output(gone);
			toplevels->is_changed = 1;
			return;
		}
}

static const struct wl_registry_listener registry_listener = {take_global, take_global_remove};

static void take_sync(void *data, struct wl_callback *callback, uint32_t serial)
{
	*(int *)data = 1;
	(void)callback, (void)serial;
}

static const struct wl_callback_listener sync_listener = {take_sync};

/* Waits until the compositor has answered all requests, for at most two seconds. Returns whether it
 * has answered them. */
static int settle(struct wl_display *display)
{
	int is_done = 0;
	struct wl_callback *callback = wl_display_sync(display);
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t end = now.tv_sec * 1000 + now.tv_nsec / 1000000 + 2000;
	wl_callback_add_listener(callback, &sync_listener, &is_done);
	while (!is_done) {
		struct pollfd ready = {.fd = wl_display_get_fd(display), .events = POLLIN};
		while (wl_display_prepare_read(display) != 0)
			if (wl_display_dispatch_pending(display) < 0)
				goto out;
		wl_display_flush(display);
		clock_gettime(CLOCK_MONOTONIC, &now);
		int64_t left = end - (now.tv_sec * 1000 + now.tv_nsec / 1000000);
		if (left <= 0 || poll(&ready, 1, left) <= 0) {
			wl_display_cancel_read(display);
			goto out;
		}
		if (wl_display_read_events(display) < 0 || wl_display_dispatch_pending(display) < 0)
			goto out;
	}
out:
	wl_callback_destroy(callback);
	return is_done;
}

/* ---- Public functions. */

struct touchgrid_toplevels *touchgrid_toplevels_open(enum touchgrid_toplevels_refusal *refusal)
{
	struct touchgrid_toplevels *toplevels = calloc(1, sizeof *toplevels);
	*refusal = TOUCHGRID_NO_COMPOSITOR;
	if (!toplevels)
		return NULL;
	toplevels->display = wl_display_connect(NULL);
	if (!toplevels->display) {
		free(toplevels);
		return NULL;
	}
	toplevels->registry = wl_display_get_registry(toplevels->display);
	wl_registry_add_listener(toplevels->registry, &registry_listener, toplevels);
	/* The first call receives the globals, the second the initial events of those. */
	if (!settle(toplevels->display) || !settle(toplevels->display)) {
		touchgrid_toplevels_close(toplevels);
		return NULL;
	}
	if (!toplevels->manager) {
		*refusal = TOUCHGRID_NO_PROTOCOL;
		touchgrid_toplevels_close(toplevels);
		return NULL;
	}
	toplevels->is_changed = 1;
	return toplevels;
}

void touchgrid_toplevels_close(struct touchgrid_toplevels *toplevels)
{
	while (toplevels->toplevels) {
		struct toplevel *next = toplevels->toplevels->next;
		zwlr_foreign_toplevel_handle_v1_destroy(toplevels->toplevels->proxy);
		forget(toplevels->toplevels);
		toplevels->toplevels = next;
	}
	while (toplevels->outputs) {
		struct output *next = toplevels->outputs->next;
		forget_output(toplevels->outputs);
		toplevels->outputs = next;
	}
	if (toplevels->manager)
		zwlr_foreign_toplevel_manager_v1_destroy(toplevels->manager);
	wl_registry_destroy(toplevels->registry);
	wl_display_disconnect(toplevels->display);
	free(toplevels);
}

int touchgrid_toplevels_descriptor(struct touchgrid_toplevels *toplevels)
{
	return wl_display_get_fd(toplevels->display);
}

int touchgrid_toplevels_take(struct touchgrid_toplevels *toplevels)
{
	struct wl_display *display = toplevels->display;
	struct pollfd ready = {.fd = wl_display_get_fd(display), .events = POLLIN};
	while (wl_display_prepare_read(display) != 0)
		if (wl_display_dispatch_pending(display) < 0)
			return -1;
	wl_display_flush(display);
	if (poll(&ready, 1, 0) > 0) {
		if (wl_display_read_events(display) < 0)
			return -1;
	} else {
		wl_display_cancel_read(display);
	}
	if (wl_display_dispatch_pending(display) < 0 || toplevels->is_over)
		return -1;
	wl_display_flush(display);
	int is_changed = toplevels->is_changed;
	toplevels->is_changed = 0;
	return is_changed;
}

static int lies_on(struct toplevel *toplevel, struct output *output)
{
	for (struct placing *place = toplevel->placings; place; place = place->next)
		if (place->output == output->proxy)
			return 1;
	return 0;
}

static struct toplevel *active(struct touchgrid_toplevels *toplevels, struct output *output)
{
	struct toplevel *best = NULL;
	for (struct toplevel *each = toplevels->toplevels; each; each = each->next)
		if (each->activation && (each->is_active || !each->is_minimized) &&
			(!output || lies_on(each, output)) &&
			(!best || each->activation > best->activation))
			best = each;
	return best;
}

void touchgrid_toplevels_shown(
	struct touchgrid_toplevels *toplevels, touchgrid_window_body body, void *context)
{
	int has_several = toplevels->outputs && toplevels->outputs->next;
	if (!has_several) {
		struct toplevel *shown = active(toplevels, NULL);
		if (shown)
			body(context, NULL, shown->app, shown->title, shown->is_full_screen);
		return;
	}
	for (struct output *output = toplevels->outputs; output; output = output->next) {
		struct toplevel *shown = output->name ? active(toplevels, output) : NULL;
		if (shown)
			body(context, output->name, shown->app, shown->title, shown->is_full_screen);
	}
}

void touchgrid_toplevels_modes(
	struct touchgrid_toplevels *toplevels, touchgrid_mode_body body, void *context)
{
	for (struct output *output = toplevels->outputs; output; output = output->next)
		if (output->name && output->width > 0 && output->height > 0)
			body(context, output->name, output->width, output->height);
}
