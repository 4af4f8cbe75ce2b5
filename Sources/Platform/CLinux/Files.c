#include "Files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int touchgrid_file_nameless(const char *folder)
{
	return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

/* Uses /proc, as open(2) describes, because AT_EMPTY_PATH needs a capability. */
int touchgrid_file_link(int descriptor, const char *path)
{
	char self[32];
	snprintf(self, sizeof self, "/proc/self/fd/%d", descriptor);
	return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int touchgrid_file_exchange(const char *one, const char *other)
{
	return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int touchgrid_file_mount(const char *path, uint64_t *mount)
{
	struct statx found;
	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_MNT_ID, &found) != 0)
		return -1;
	if (!(found.stx_mask & STATX_MNT_ID)) {
		errno = ENOSYS;
		return -1;
	}
	*mount = found.stx_mnt_id;
	return 0;
}

/* ---- Unfinished files */

enum { COUNT = 32 };
static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
enum { ENDS = sizeof ends / sizeof *ends };

/* Changed only while the signals are blocked. */
static char *paths[COUNT];
static int is_line_there;
static int is_watched;

void touchgrid_signals_hold(int is_held)
{
	static int depth;
	static sigset_t before;
	sigset_t set;
	if (is_held ? depth++ > 0 : --depth > 0) return;
	if (is_held) {
		sigemptyset(&set);
		for (int i = 0; i < ENDS; i++) sigaddset(&set, ends[i]);
		pthread_sigmask(SIG_BLOCK, &set, &before);
	} else {
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
}

/* The signal handler. Calls only functions that signal-safety(7) lists. SA_RESETHAND has restored
 * the default action, so the raised signal ends the process, and a waiting parent process sees
 * which signal it was. */
static void end(int signal)
{
	for (int i = COUNT - 1; i >= 0; i--)
		if (paths[i] && unlink(paths[i]) != 0 && errno == EISDIR) rmdir(paths[i]);
	if (is_line_there && write(STDERR_FILENO, "\r\033[K", 4) < 0) is_line_there = 0;
	raise(signal);
}

/* Installs the signal handler, once. A signal that is ignored, as under nohup, remains ignored. */
static int watch(void)
{
	if (is_watched) return 0;
	for (int i = 0; i < ENDS; i++) {
		struct sigaction now, action = {.sa_handler = end, .sa_flags = SA_RESETHAND | SA_NODEFER};
		/* Handlers of these signals do not interrupt each other. */
		sigemptyset(&action.sa_mask);
		for (int j = 0; j < ENDS; j++)
			if (j != i) sigaddset(&action.sa_mask, ends[j]);
		if (sigaction(ends[i], NULL, &now) != 0) return -1;
		if (now.sa_handler != SIG_IGN && sigaction(ends[i], &action, NULL) != 0) return -1;
	}
	is_watched = 1;
	return 0;
}

static int add(char *path)
{
	int i = COUNT;
	while (i > 0 && !paths[i - 1]) i--;
	if (i == COUNT) {
		errno = EMFILE;
		return -1;
	}
	paths[i] = path;
	return 0;
}

int touchgrid_unfinished_add(const char *path)
{
	char *copy = strdup(path);
	if (!copy) return -1;
	touchgrid_signals_hold(1);
	int result = watch() == 0 ? add(copy) : -1;
	touchgrid_signals_hold(0);
	if (result != 0) free(copy);
	return result;
}

void touchgrid_unfinished_remove(const char *path)
{
	touchgrid_signals_hold(1);
	for (int i = 0; i < COUNT; i++) {
		if (!paths[i] || strcmp(paths[i], path) != 0) continue;
		free(paths[i]);
		paths[i] = NULL;
	}
	touchgrid_signals_hold(0);
}

int touchgrid_unfinished_line(int is_there)
{
	touchgrid_signals_hold(1);
	int result = is_there ? watch() : 0;
	is_line_there = is_there && result == 0;
	touchgrid_signals_hold(0);
	return result;
}
