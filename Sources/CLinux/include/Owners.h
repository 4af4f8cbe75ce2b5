/* Who can change what a path leads to, and how root becomes that user. */
#ifndef TOUCHGRID_OWNERS_H
#define TOUCHGRID_OWNERS_H

#include <stdint.h>

struct touchgrid_owner {
	uint32_t user;
	uint32_t group;
};

/* Stands for every user who may write in a folder that is shared. */
#define TOUCHGRID_ANYBODY UINT32_MAX

/* Follows a path as the kernel does, and collects the users besides root who can change what it leads to: the owners
 * of the folders on the way, and in folders that others may write in the owners of what lies there. Opens nothing but
 * with O_PATH, so nothing waits. Ends where nothing is there yet.
 * is_strict: names beside the last one matter too, so its folder must not be shared by several users.
 * Returns how many there are, each once; at most `limit`. -1 where the path cannot be followed (ELOOP, ENAMETOOLONG). */
int touchgrid_path_owners(const char *path, int is_strict, struct touchgrid_owner *owners, int limit);

/* Makes this process another user's for good: its groups, and real, effective and saved ids. For a process with one
 * thread. The groups are those of the user database; a user who is not in it gets `group` alone.
 * more: the name of one more group, or NULL; one that is not there is left out.
 * Ends with -1 and EPERM where root's rights could be had back. */
int touchgrid_become(uint32_t user, uint32_t group, const char *more);

/* fork(2), which Swift does not let through: for a process with one thread. */
int touchgrid_fork(void);

/* A pair of connected stream sockets, closed on exec. */
int touchgrid_socket_pair(int ends[2]);

#endif
