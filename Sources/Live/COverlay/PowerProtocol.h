/* The protocol wlr-output-power-management-unstable-v1, as far as it is used here. */
#ifndef TOUCHGRID_POWER_PROTOCOL_H
#define TOUCHGRID_POWER_PROTOCOL_H

#include <wayland-client.h>

/* The interface of the global, version 1. */
extern const struct wl_interface touchgrid_power_manager_interface;
/* Returns the global that Canvas.c has bound; NULL if the compositor has none. */
struct wl_proxy *touchgrid_power_manager(void);

#endif
