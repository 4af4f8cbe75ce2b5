/* Unix sockets, and the eventfd that wakes a thread. */
#ifndef TOUCHGRID_SOCKETS_H
#define TOUCHGRID_SOCKETS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The longest path of a socket, without its end. */
enum { TOUCHGRID_SOCKET_PATH = 107 };

/* A stream socket, non-blocking if asked for, closed on exec. */
int touchgrid_socket_stream(int is_nonblocking);
/* Gives the path to a socket, with mode 0666 whatever the umask; nothing that is there is replaced. */
int touchgrid_socket_bind(int socket, const char *path);
/* Connects; ENAMETOOLONG where the path does not fit. */
int touchgrid_socket_connect(int socket, const char *path);
/* How long connecting and sending may take; 0: without end. */
int touchgrid_socket_set_timeout(int socket, int64_t microseconds);
int touchgrid_socket_listen(int socket);
/* Whether it is a listening AF_UNIX stream socket; makes it non-blocking and closed on exec. */
int touchgrid_socket_adopt(int socket);
/* The next connection, non-blocking, closed on exec. */
int touchgrid_socket_accept(int socket);
/* Sends without a signal, and without waiting unless the socket blocks; how much was taken. */
ssize_t touchgrid_socket_send(int socket, const void *bytes, size_t count);
ssize_t touchgrid_socket_receive(int socket, void *bytes, size_t count);
/* No more will be sent. */
int touchgrid_socket_end_sending(int socket);
/* Waits for input (or for room for output); 1 if there is, 0 when the time is over. */
int touchgrid_socket_wait(int socket, int for_output, int64_t microseconds);

struct touchgrid_peer {
	int32_t process;
	uint32_t user;
	uint32_t group;
};
int touchgrid_socket_peer(int socket, struct touchgrid_peer *peer);
/* The supplementary groups of the peer, at most `count`; how many there are. */
int touchgrid_socket_peer_groups(int socket, uint32_t *groups, int count);

/* A socket's file: 0 where there is none, 1 where there is a socket (device and inode then), 2 for what
 * is no socket. Symbolic links are not followed. */
int touchgrid_socket_file(const char *path, uint64_t *device, uint64_t *inode);
/* Locks a folder for this process, waiting for at most so long; the descriptor. */
int touchgrid_lock_folder(const char *path, int milliseconds);

/* Sends a datagram to a path, or to an abstract address where it begins with '@', in at most 20 ms. */
int touchgrid_notify(const char *address, const char *text, size_t count);

/* The number by which systemd knows this process for good (pidfd_open(2), Linux 6.9). */
int touchgrid_process_inode(uint64_t *inode);

int touchgrid_eventfd_create(void);
void touchgrid_eventfd_ring(int descriptor);
void touchgrid_eventfd_drain(int descriptor);

#endif
