/* Files that are there whole or not at all, and what is to go when a signal ends the process. */
#ifndef TOUCHGRID_FILES_H
#define TOUCHGRID_FILES_H

/* A file without a name in a folder, writable, with the mode that the umask leaves; it goes when it is
 * closed. EOPNOTSUPP, EISDIR or ENOENT where the file system or the kernel knows no such files. */
int touchgrid_file_nameless(const char *folder);
/* Gives a name to a file without one; nothing that is there is replaced. */
int touchgrid_file_link(int descriptor, const char *path);
/* Lets two files or folders change places at one moment. */
int touchgrid_file_exchange(const char *one, const char *other);

/* A file, or an empty folder, that goes when a signal ends the process: SIGHUP, SIGINT, SIGQUIT, SIGTERM
 * or SIGXFSZ, where they would. The last that was added goes first. At most 16; ENOSPC past that. */
int touchgrid_unfinished_add(const char *path);
void touchgrid_unfinished_remove(const char *path);
/* Clears the line that the cursor of the terminal at standard error is in, when a signal ends the process. */
int touchgrid_unfinished_line(int is_there);

/* Holds these signals back, or lets them through again when this was called as often with 0. For one thread
 * only. */
void touchgrid_signals_hold(int is_held);

#endif
