#include "COverlay.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct watching {
	void (*input)(void *owner, uintptr_t contact, int is_down);
	void *owner;
};

/* Distinguishes buttons from fingers, whose numbers GDK makes of the compositor's. */
#define BUTTON ((uintptr_t)1 << (8 * sizeof(uintptr_t) - 1))

static gboolean received(GtkWidget *window, GdkEvent *event, gpointer data)
{
	struct watching *watching = data;
	uintptr_t contact;
	switch (event->type) {
	case GDK_TOUCH_BEGIN:
	case GDK_TOUCH_END:
	case GDK_TOUCH_CANCEL:
		contact = (uintptr_t)gdk_event_get_event_sequence(event) & ~BUTTON;
		break;
	case GDK_BUTTON_PRESS:
	case GDK_BUTTON_RELEASE:
		/* X servers send clicks for touches, beside the touches. */
		if (gdk_event_get_pointer_emulated(event))
			return TRUE;
		contact = event->button.button | BUTTON;
		break;
	default:
		return FALSE;
	}
	int is_down = event->type == GDK_TOUCH_BEGIN || event->type == GDK_BUTTON_PRESS;
	watching->input(watching->owner, contact, is_down);
	return TRUE;
}

static void drop(gpointer data, GClosure *closure)
{
	free(data);
}

void touchgrid_window_watch_input(GtkWidget *window,
	void (*input)(void *owner, uintptr_t contact, int is_down), void *owner)
{
	struct watching *watching = malloc(sizeof *watching);
	if (!watching)
		abort();
	*watching = (struct watching){input, owner};
	gtk_widget_add_events(
		window, GDK_TOUCH_MASK | GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK);
	g_signal_connect_data(window, "event", G_CALLBACK(received), watching, drop, 0);
}

void touchgrid_window_limit_input(GtkWidget *window, const cairo_region_t *region)
{
	GdkWindow *gdk_window = gtk_widget_get_window(window);
	if (gdk_window)
		gdk_window_input_shape_combine_region(gdk_window, region, 0, 0);
}

GtkWidget *touchgrid_x11_shield_new(void)
{
	return gtk_invisible_new();
}

void touchgrid_x11_shield_show(GtkWidget *shield, GdkRectangle place)
{
	/* GTK shows it outside of the screen. */
	gtk_widget_show(shield);
	touchgrid_x11_lower(shield);
	gdk_window_move_resize(
		gtk_widget_get_window(shield), place.x, place.y, place.width, place.height);
	touchgrid_x11_raise(shield);
}

struct command {
	void (*ended)(void *owner, int status);
	void *owner;
};

static void ended(GPid process, gint status, gpointer data)
{
	struct command *command = data;
	g_spawn_close_pid(process);
	command->ended(
		command->owner, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/* Runs in the new process. */
static void prepare(gpointer data)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setpgid(0, 0);
}

int touchgrid_run(const char *text, void (*callback)(void *owner, int status), void *owner)
{
	char *words[] = {"/bin/sh", "-c", (char *)text, NULL};
	struct command *command = malloc(sizeof *command);
	if (!command)
		abort();
	*command = (struct command){callback, owner};
	GPid process = 0;
	if (!g_spawn_async(NULL, words, NULL, G_SPAWN_DO_NOT_REAP_CHILD, prepare, NULL, &process, NULL)) {
		free(command);
		return 0;
	}
	g_child_watch_add_full(G_PRIORITY_DEFAULT, process, ended, command, free);
	return process;
}
