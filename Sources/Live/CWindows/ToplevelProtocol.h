/* The parts of wlr-foreign-toplevel-management-unstable-v1 that are used, as wayland-scanner would
 * generate them. */
#ifndef TOPLEVEL_PROTOCOL_H
#define TOPLEVEL_PROTOCOL_H

#include <wayland-client.h>

static const struct wl_interface toplevel_interface;

static const struct wl_interface *no_types[8];
static const struct wl_interface *toplevel_types[] = {&toplevel_interface};
static const struct wl_interface *seat_types[] = {&wl_seat_interface};
static const struct wl_interface *output_types[] = {&wl_output_interface};
static const struct wl_interface *rectangle_types[] = {&wl_surface_interface, NULL, NULL, NULL, NULL};

static const struct wl_message manager_requests[] = {{"stop", "", no_types}};
static const struct wl_message manager_events[] = {
	{"toplevel", "n", toplevel_types}, {"finished", "", no_types},
};
static const struct wl_interface manager_interface = {
	"zwlr_foreign_toplevel_manager_v1", 3, 1, manager_requests, 2, manager_events,
};

enum { TOPLEVEL_DESTROY = 7 };
static const struct wl_message toplevel_requests[] = {
	{"set_maximized", "", no_types}, {"unset_maximized", "", no_types},
	{"set_minimized", "", no_types}, {"unset_minimized", "", no_types},
	{"activate", "o", seat_types}, {"close", "", no_types},
	{"set_rectangle", "oiiii", rectangle_types}, {"destroy", "", no_types},
	{"set_fullscreen", "2?o", output_types}, {"unset_fullscreen", "2", no_types},
};
static const struct wl_message toplevel_events[] = {
	{"title", "s", no_types}, {"app_id", "s", no_types},
	{"output_enter", "o", output_types}, {"output_leave", "o", output_types},
	{"state", "a", no_types}, {"done", "", no_types}, {"closed", "", no_types},
	{"parent", "3?o", toplevel_types},
};
static const struct wl_interface toplevel_interface = {
	"zwlr_foreign_toplevel_handle_v1", 3, 10, toplevel_requests, 8, toplevel_events,
};

enum state { MAXIMIZED, MINIMIZED, ACTIVATED, FULLSCREEN };

struct manager_listener {
	void (*toplevel)(void *, struct wl_proxy *, struct wl_proxy *);
	void (*finished)(void *, struct wl_proxy *);
};

struct toplevel_listener {
	void (*title)(void *, struct wl_proxy *, const char *);
	void (*app_id)(void *, struct wl_proxy *, const char *);
	void (*output_enter)(void *, struct wl_proxy *, struct wl_output *);
	void (*output_leave)(void *, struct wl_proxy *, struct wl_output *);
	void (*state)(void *, struct wl_proxy *, struct wl_array *);
	void (*done)(void *, struct wl_proxy *);
	void (*closed)(void *, struct wl_proxy *);
	void (*parent)(void *, struct wl_proxy *, struct wl_proxy *);
};

#endif
