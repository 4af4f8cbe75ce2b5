#include "CWindows.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

/* The longest text property that is read, in units of four bytes. */
enum { TEXT_LENGTH = 1024 };

enum atom {
	NET_ACTIVE_WINDOW,
	NET_SUPPORTING_WM_CHECK,
	NET_WM_NAME,
	UTF8_STRING,
	ATOMS
};
static const char *const atom_names[ATOMS] = {
	"_NET_ACTIVE_WINDOW", "_NET_SUPPORTING_WM_CHECK", "_NET_WM_NAME", "UTF8_STRING",
};

struct touchgrid_x11 {
	xcb_connection_t *connection;
	xcb_window_t root;
	xcb_atom_t atoms[ATOMS];
	/* The window that was shown at the last check; XCB_WINDOW_NONE if there was none. Its
	 * property changes are received, in addition to those of the root window. */
	xcb_window_t watched;
	/* The window manager's own window; XCB_WINDOW_NONE if there is no window manager. */
	xcb_window_t manager;
	int is_changed;
};

static void select_events(struct touchgrid_x11 *x11, xcb_window_t window, uint32_t events)
{
	xcb_change_window_attributes(x11->connection, window, XCB_CW_EVENT_MASK, &events);
}

struct touchgrid_x11 *touchgrid_x11_open(void)
{
	int number;
	xcb_connection_t *connection = xcb_connect(NULL, &number);
	struct touchgrid_x11 *x11 = calloc(1, sizeof *x11);
	if (!x11 || xcb_connection_has_error(connection)) {
		xcb_disconnect(connection);
		free(x11);
		return NULL;
	}
	x11->connection = connection;
	xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(connection));
	for (; number > 0 && screens.rem > 1; number--)
		xcb_screen_next(&screens);
	x11->root = screens.data->root;
	for (int i = 0; i < ATOMS; i++) {
		xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
			connection,
			xcb_intern_atom(connection, 0, strlen(atom_names[i]), atom_names[i]), NULL);
		x11->atoms[i] = reply ? reply->atom : XCB_ATOM_NONE;
		free(reply);
	}
	select_events(
		x11, x11->root, XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY);
	xcb_flush(connection);
	x11->is_changed = 1;
	return x11;
}

void touchgrid_x11_close(struct touchgrid_x11 *x11)
{
	xcb_disconnect(x11->connection);
	free(x11);
}

int touchgrid_x11_descriptor(struct touchgrid_x11 *x11)
{
	return xcb_get_file_descriptor(x11->connection);
}

static int concerns(struct touchgrid_x11 *x11, xcb_generic_event_t *event)
{
	switch (event->response_type & 0x7f) {
	case XCB_PROPERTY_NOTIFY: {
		xcb_property_notify_event_t *property = (void *)event;
		if (property->window == x11->root)
			return property->atom == x11->atoms[NET_ACTIVE_WINDOW] ||
				property->atom == x11->atoms[NET_SUPPORTING_WM_CHECK];
		return property->atom == x11->atoms[NET_WM_NAME] || property->atom == XCB_ATOM_WM_NAME ||
			property->atom == XCB_ATOM_WM_CLASS;
	}
	case XCB_DESTROY_NOTIFY:
		return !x11->manager || ((xcb_destroy_notify_event_t *)event)->window == x11->manager;
	/* A window manager, if there is one, reports relevant changes in _NET_ACTIVE_WINDOW. */
	case XCB_CONFIGURE_NOTIFY:
		return !x11->manager || ((xcb_configure_notify_event_t *)event)->window == x11->watched;
	case XCB_MAP_NOTIFY:
	case XCB_UNMAP_NOTIFY:
	case XCB_CIRCULATE_NOTIFY:
	case XCB_REPARENT_NOTIFY: return !x11->manager;
	}
	return 0;
}

int touchgrid_x11_take(struct touchgrid_x11 *x11)
{
	int is_changed = x11->is_changed;
	xcb_generic_event_t *event;
	x11->is_changed = 0;
	while ((event = xcb_poll_for_event(x11->connection))) {
		is_changed |= concerns(x11, event);
		free(event);
	}
	return xcb_connection_has_error(x11->connection) ? -1 : is_changed;
}

static xcb_window_t window_property(struct touchgrid_x11 *x11, xcb_window_t of, enum atom name)
{
	xcb_window_t window = XCB_WINDOW_NONE;
	xcb_get_property_reply_t *reply = xcb_get_property_reply(
		x11->connection,
		xcb_get_property(x11->connection, 0, of, x11->atoms[name], XCB_ATOM_WINDOW, 0, 1), NULL);
	if (reply && reply->format == 32 && xcb_get_property_value_length(reply) == 4)
		memcpy(&window, xcb_get_property_value(reply), 4);
	free(reply);
	return window;
}

/* Returns the window manager's own window, or XCB_WINDOW_NONE. The property of the root window may
 * be left over from an earlier window manager, so the window must name itself in the same
 * property. */
static xcb_window_t manager(struct touchgrid_x11 *x11)
{
	xcb_window_t window = window_property(x11, x11->root, NET_SUPPORTING_WM_CHECK);
	int is_there = window && window_property(x11, window, NET_SUPPORTING_WM_CHECK) == window;
	return is_there ? window : XCB_WINDOW_NONE;
}

static int is_shown(struct touchgrid_x11 *x11, xcb_window_t window)
{
	xcb_get_window_attributes_reply_t *reply = xcb_get_window_attributes_reply(
		x11->connection, xcb_get_window_attributes(x11->connection, window), NULL);
	/* Menus and tool tips are override-redirect windows, and are not screens. */
	int is_shown = reply && reply->map_state == XCB_MAP_STATE_VIEWABLE &&
		!reply->override_redirect && reply->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT;
	free(reply);
	return is_shown;
}

static xcb_window_t topmost(struct touchgrid_x11 *x11)
{
	xcb_window_t window = XCB_WINDOW_NONE;
	xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
		x11->connection, xcb_query_tree(x11->connection, x11->root), NULL);
	if (!tree)
		return window;
	xcb_window_t *children = xcb_query_tree_children(tree);
	for (int i = xcb_query_tree_children_length(tree); i-- > 0 && !window;)
		if (is_shown(x11, children[i]))
			window = children[i];
	free(tree);
	return window;
}

/* Returns whether a window lies exactly on the whole screen. */
static int covers_screen(struct touchgrid_x11 *x11, xcb_window_t window)
{
	xcb_get_geometry_cookie_t asked = xcb_get_geometry(x11->connection, window);
	xcb_get_geometry_cookie_t asked_root = xcb_get_geometry(x11->connection, x11->root);
	xcb_translate_coordinates_cookie_t asked_place =
		xcb_translate_coordinates(x11->connection, window, x11->root, 0, 0);
	xcb_get_geometry_reply_t *size = xcb_get_geometry_reply(x11->connection, asked, NULL);
	xcb_get_geometry_reply_t *root = xcb_get_geometry_reply(x11->connection, asked_root, NULL);
	xcb_translate_coordinates_reply_t *place =
		xcb_translate_coordinates_reply(x11->connection, asked_place, NULL);
	int covers = size && root && place && place->dst_x == 0 && place->dst_y == 0 &&
		size->width == root->width && size->height == root->height;
	free(size);
	free(root);
	free(place);
	return covers;
}

/* Copies at most size - 1 bytes of a property and appends a NUL. Returns the number of bytes
 * without the NUL, 0 if there is no such property. */
static int text_property(
	struct touchgrid_x11 *x11, xcb_window_t window, xcb_atom_t name, char *text, int size)
{
	int length = 0;
	xcb_get_property_reply_t *reply = xcb_get_property_reply(
		x11->connection,
		xcb_get_property(x11->connection, 0, window, name, XCB_ATOM_ANY, 0, TEXT_LENGTH), NULL);
	if (reply && reply->format == 8) {
		length = xcb_get_property_value_length(reply);
		if (length > size - 1)
			length = size - 1;
		memcpy(text, xcb_get_property_value(reply), length);
	}
	text[length] = 0;
	free(reply);
	return length;
}

void touchgrid_x11_shown(struct touchgrid_x11 *x11, touchgrid_window_body body, void *context)
{
	char class[4 * TEXT_LENGTH + 1], title[4 * TEXT_LENGTH + 1];
	x11->manager = manager(x11);
	xcb_window_t window = x11->manager
		? window_property(x11, x11->root, NET_ACTIVE_WINDOW) : topmost(x11);

	if (window != x11->watched) {
		if (x11->watched && x11->watched != x11->root)
			select_events(x11, x11->watched, XCB_EVENT_MASK_NO_EVENT);
		if (window && window != x11->root)
			select_events(
				x11, window, XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY);
		x11->watched = window;
	}
	if (window) {
		/* WM_CLASS holds instance, NUL, class, NUL (ICCCM 4.1.2.5). */
		int length = text_property(x11, window, XCB_ATOM_WM_CLASS, class, sizeof class);
		size_t instance = strlen(class);
		const char *app = instance + 1 < (size_t)length ? class + instance + 1 : class;
		if (!text_property(x11, window, x11->atoms[NET_WM_NAME], title, sizeof title))
			text_property(x11, window, XCB_ATOM_WM_NAME, title, sizeof title);
		body(context, NULL, app, title, covers_screen(x11, window));
	}
	xcb_flush(x11->connection);
	xcb_generic_event_t *event;
	while ((event = xcb_poll_for_queued_event(x11->connection))) {
		x11->is_changed |= concerns(x11, event);
		free(event);
	}
}

int touchgrid_x11_has_news(struct touchgrid_x11 *x11) { return x11->is_changed; }
