/* Files that appear complete or not at all, and files that are removed when a signal ends the
 * process. */
#ifndef TOUCHGRID_FILES_H
#define TOUCHGRID_FILES_H

#include <stdint.h>

/* Creates a file without a name in a folder, writable, with the mode that the umask leaves. It
 * disappears when it is closed. EOPNOTSUPP, EISDIR or ENOENT if the file system or the kernel does
 * not support such files. */
int touchgrid_file_nameless(const char *folder);
/* Gives a name to a nameless file. Never replaces a file. */
int touchgrid_file_link(int descriptor, const char *path);
/* Exchanges two files or folders atomically. EINVAL or ENOSYS if that is not supported. */
int touchgrid_file_exchange(const char *one, const char *other);
/* Sets the number that /proc/self/mountinfo gives the mount which a path leads to. The file is
 * not opened. ENOSYS if the kernel does not report it (before Linux 5.8). */
int touchgrid_file_mount(const char *path, uint64_t *mount);

/* Adds a file, or an empty folder, that is removed when a signal ends the process: SIGHUP, SIGINT,
 * SIGQUIT, SIGTERM or SIGXFSZ, unless it is ignored. The last one added is removed first. EMFILE if
 * there are already 16. */
int touchgrid_unfinished_add(const char *path);
void touchgrid_unfinished_remove(const char *path);
/* Sets whether to clear the cursor's line on the terminal at standard error when a signal ends the
 * process. */
int touchgrid_unfinished_line(int is_there);

/* Blocks the same signals if is_held is 1. After as many calls with 0, restores the signal mask
 * from before. For one thread only. */
void touchgrid_signals_hold(int is_held);

#endif
