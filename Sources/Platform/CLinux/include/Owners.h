/* The users who can change the target of a path, and the functions by which root becomes such a
 * user. */
#ifndef TOUCHGRID_OWNERS_H
#define TOUCHGRID_OWNERS_H

#include <stdint.h>

struct touchgrid_owner {
	uint32_t user;
	uint32_t group;
};

/* Stands for all users with write permission for a shared folder. */
#define TOUCHGRID_ANYBODY UINT32_MAX

/* Follows a path as the kernel does, and collects the users besides root who can change its
 * target: the owners of the folders on the path and, in folders where other users may write, the
 * owners of the entries or TOUCHGRID_ANYBODY. Opens files with O_PATH only, so it never blocks.
 * Ends at the first name that does not exist.
 * is_strict: 1 adds TOUCHGRID_ANYBODY if several users may write in the folder of the last name,
 * because names beside that name matter too.
 * Returns the number of users, each counted once; at most `limit`. -1 if the path cannot be
 * followed (ELOOP, ENAMETOOLONG). */
int touchgrid_path_owners(const char *path, int is_strict, struct touchgrid_owner *owners, int limit);

/* Makes this process run permanently as another user: changes its groups, and its real, effective
 * and saved IDs. Only for a process with one thread. The groups come from the user database; for a
 * user who is not in it, `group` is the only group.
 * more: the name of one more group, or NULL; ignored if it does not exist.
 * Fails with EPERM if the process could regain root's rights. */
int touchgrid_become(uint32_t user, uint32_t group, const char *more);

/* Calls fork(2), which Swift does not offer. Only for a process with one thread. */
int touchgrid_fork(void);

/* Starts a program as another user, or as root if `user` is 0. Its standard output is read from
 * `output`. Its standard input is the data sent to the socket `input`; it has none if `input` is
 * NULL. It gets no other descriptor of this process, an empty session keyring, and a new process
 * session, so that it cannot access root's terminal. It starts in the folder "/", and the kernel
 * kills it when this thread ends. Only for a process with one thread.
 * path: the program. NULL for none: then this function also returns in the new process, with 0.
 * Returns the process ID, which is also that of its process group; -1 if the process cannot be
 * started. If the program cannot, the process ends with 127. */
int touchgrid_start_as(
	uint32_t user, uint32_t group, const char *path, char *const arguments[],
	char *const environment[], int *input, int *output);

/* Creates a pair of connected stream sockets, closed on exec. */
int touchgrid_socket_pair(int ends[2]);

#endif
