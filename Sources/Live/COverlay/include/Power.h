/* Whether outputs are lit: the protocol wlr-output-power-management on Wayland, the screen saver
 * with DPMS on X11. */
#ifndef TOUCHGRID_POWER_H
#define TOUCHGRID_POWER_H

#include <gtk/gtk.h>

struct touchgrid_power;

/* Calls `changed` when the output is switched on or off, and soon if it is off already. On X11 all
 * outputs are switched together. Returns NULL if the desktop does not report this. */
struct touchgrid_power *touchgrid_power_new(
	GdkMonitor *monitor, void (*changed)(void *owner, int is_on), void *owner);
void touchgrid_power_free(struct touchgrid_power *power);
/* Switches the output on or off. */
void touchgrid_power_set(struct touchgrid_power *power, int is_on);

#endif
