#include "COverlay.h"
#include "PowerProtocol.h"

#include <X11/Xlib.h>
#include <X11/extensions/dpms.h>
#include <X11/extensions/scrnsaver.h>
#include <gdk/gdkwayland.h>
#include <gdk/gdkx.h>
#include <stdlib.h>

static const struct wl_interface *no_types[] = {NULL};
static const struct wl_message output_requests[] = {
	{"set_mode", "u", no_types}, {"destroy", "", no_types}};
static const struct wl_message output_events[] = {
	{"mode", "u", no_types}, {"failed", "", no_types}};
static const struct wl_interface output_interface = {
	"zwlr_output_power_v1", 1, 2, output_requests, 2, output_events};
static const struct wl_interface *output_types[] = {&output_interface, &wl_output_interface};
static const struct wl_message manager_requests[] = {
	{"get_output_power", "no", output_types}, {"destroy", "", no_types}};
const struct wl_interface touchgrid_power_manager_interface = {
	"zwlr_output_power_manager_v1", 1, 2, manager_requests, 0, NULL};

/* The numbers of requests. */
enum { GET_OUTPUT_POWER = 0, SET_MODE = 0, DESTROY = 1 };

struct touchgrid_power {
	/* NULL on X11. */
	struct wl_proxy *proxy;
	/* For X11: the display, and the type of the event that reports a change. */
	Display *display;
	int event;
	void (*changed)(void *owner, int is_on);
	void *owner;
};

static void mode(void *data, struct wl_proxy *proxy, uint32_t mode)
{
	struct touchgrid_power *power = data;
	power->changed(power->owner, mode != 0);
}

static void failed(void *data, struct wl_proxy *proxy)
{
	/* The output has gone. */
}

static int start_wayland(struct touchgrid_power *power, GdkMonitor *monitor)
{
	static struct {
		void (*mode)(void *data, struct wl_proxy *proxy, uint32_t mode);
		void (*failed)(void *data, struct wl_proxy *proxy);
	} listener = {mode, failed};
	struct wl_proxy *manager = touchgrid_power_manager();
	if (!manager)
		return 0;
	power->proxy = wl_proxy_marshal_flags(manager, GET_OUTPUT_POWER, &output_interface, 1, 0, NULL,
		gdk_wayland_monitor_get_wl_output(monitor));
	wl_proxy_add_listener(power->proxy, (void (**)(void))&listener, power);
	return 1;
}

/* The server's DPMS switches its screen saver together with the outputs, and only the screen saver
 * reports changes. */
static GdkFilterReturn saved(GdkXEvent *data, GdkEvent *event, gpointer user)
{
	struct touchgrid_power *power = user;
	if (((XEvent *)data)->type == power->event)
		power->changed(power->owner, ((XScreenSaverNotifyEvent *)data)->state != ScreenSaverOn);
	return GDK_FILTER_CONTINUE;
}

static gboolean is_saved(gpointer user)
{
	struct touchgrid_power *power = user;
	XScreenSaverInfo *info = XScreenSaverAllocInfo();
	if (info && XScreenSaverQueryInfo(power->display, DefaultRootWindow(power->display), info)
		&& info->state == ScreenSaverOn)
		power->changed(power->owner, 0);
	if (info)
		XFree(info);
	return G_SOURCE_REMOVE;
}

static int start_x11(struct touchgrid_power *power, GdkMonitor *monitor)
{
	int first_error;
	power->display = gdk_x11_display_get_xdisplay(gdk_monitor_get_display(monitor));
	if (!XScreenSaverQueryExtension(power->display, &power->event, &first_error))
		return 0;
	XScreenSaverSelectInput(
		power->display, DefaultRootWindow(power->display), ScreenSaverNotifyMask);
	gdk_window_add_filter(NULL, saved, power);
	g_idle_add(is_saved, power);
	return 1;
}

struct touchgrid_power *touchgrid_power_new(
	GdkMonitor *monitor, void (*changed)(void *owner, int is_on), void *owner)
{
	struct touchgrid_power *power = calloc(1, sizeof *power);
	if (!power)
		abort();
	power->changed = changed;
	power->owner = owner;
	if (GDK_IS_X11_DISPLAY(gdk_monitor_get_display(monitor)) ? start_x11(power, monitor)
								 : start_wayland(power, monitor))
		return power;
	free(power);
	return NULL;
}

void touchgrid_power_free(struct touchgrid_power *power)
{
	if (power->proxy) {
		wl_proxy_marshal_flags(power->proxy, DESTROY, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
	} else {
		gdk_window_remove_filter(NULL, saved, power);
		g_source_remove_by_user_data(power);
	}
	free(power);
}

void touchgrid_power_set(struct touchgrid_power *power, int is_on)
{
	if (power->proxy) {
		wl_proxy_marshal_flags(power->proxy, SET_MODE, NULL, 1, 0, (uint32_t)is_on);
		return;
	}
	CARD16 level;
	BOOL has_dpms = False;
	/* Without DPMS, or if the user has disabled it, the server blanks the outputs. */
	if (DPMSCapable(power->display))
		DPMSInfo(power->display, &level, &has_dpms);
	if (has_dpms)
		DPMSForceLevel(power->display, is_on ? DPMSModeOn : DPMSModeOff);
	else
		XForceScreenSaver(power->display, is_on ? ScreenSaverReset : ScreenSaverActive);
	XFlush(power->display);
}
