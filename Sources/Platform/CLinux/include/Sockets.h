/* Unix sockets, and the eventfd that wakes a thread. */
#ifndef TOUCHGRID_SOCKETS_H
#define TOUCHGRID_SOCKETS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The maximum length of a socket's path, without its NUL. */
enum { TOUCHGRID_SOCKET_PATH = 107 };

/* Creates a stream socket, closed on exec. */
int touchgrid_socket_stream(int is_nonblocking);
/* Binds a socket to a path, with mode 0666 regardless of the umask. Never replaces a file. */
int touchgrid_socket_bind(int socket, const char *path);
/* Connects to a path; ENAMETOOLONG if it is too long. */
int touchgrid_socket_connect(int socket, const char *path);
/* Sets the maximum time for connecting and sending; 0: no limit. */
int touchgrid_socket_set_timeout(int socket, int64_t microseconds);
int touchgrid_socket_listen(int socket);
/* Checks that a socket is a listening AF_UNIX stream socket (EPROTOTYPE otherwise), and makes it
 * non-blocking and closed on exec. */
int touchgrid_socket_adopt(int socket);
/* Accepts the next connection, non-blocking, closed on exec. */
int touchgrid_socket_accept(int socket);
/* Sends without SIGPIPE and without blocking. Returns the number of bytes sent. */
ssize_t touchgrid_socket_send(int socket, const void *bytes, size_t count);
ssize_t touchgrid_socket_receive(int socket, void *bytes, size_t count);
/* Shuts down the sending side. */
int touchgrid_socket_end_sending(int socket);
/* Waits for input, or for room for output. Returns 1 if there is some, 0 after the timeout or an
 * interruption. microseconds: a negative value waits without limit. */
int touchgrid_socket_wait(int socket, int for_output, int64_t microseconds);

struct touchgrid_peer {
	int32_t process;
	uint32_t user;
	uint32_t group;
};
int touchgrid_socket_peer(int socket, struct touchgrid_peer *peer);
/* Reads the supplementary groups of the peer into `groups`, which has room for `count`. Returns the
 * number of groups. If that is more than `count`, `groups` is unchanged, because the kernel then
 * copies nothing (ERANGE). */
int touchgrid_socket_peer_groups(int socket, uint32_t *groups, int count);

/* Returns 0 if there is no file, 1 for a socket (then sets device and inode), 2 for any other file.
 * Symbolic links are not followed. */
int touchgrid_socket_file(const char *path, uint64_t *device, uint64_t *inode);

/* Sends a datagram to a path, or to an abstract address if it begins with '@', in at most 20 ms. */
int touchgrid_notify(const char *address, const char *text, size_t count);

/* Sets the inode of this process's pidfd. From Linux 6.9 on, it identifies the process uniquely,
 * and systemd uses it for that (pidfd_open(2)). */
int touchgrid_process_inode(uint64_t *inode);

int touchgrid_eventfd_create(void);
void touchgrid_eventfd_ring(int descriptor);
void touchgrid_eventfd_drain(int descriptor);

#endif
