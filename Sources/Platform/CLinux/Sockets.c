#include "Sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int address_of(const char *path, struct sockaddr_un *address, socklen_t *size)
{
	size_t length = strlen(path);
	if (length == 0 || length >= sizeof address->sun_path) {
		errno = length == 0 ? ENOENT : ENAMETOOLONG;
		return -1;
	}
	memset(address, 0, sizeof *address);
	address->sun_family = AF_UNIX;
	memcpy(address->sun_path, path, length);
	*size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
	return 0;
}

int touchgrid_socket_stream(int is_nonblocking)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (is_nonblocking ? SOCK_NONBLOCK : 0), 0);
}

int touchgrid_socket_bind(int socket, const char *path)
{
	struct sockaddr_un address;
	socklen_t size;
	if (address_of(path, &address, &size) < 0)
		return -1;
	/* The kernel gives the file the socket's mode without the bits of the umask, so the mode is
	 * never too wide. The bits that the umask removed are restored by name, because changing the
	 * umask would affect all threads. */
	if (fchmod(socket, 0666) < 0 || bind(socket, (struct sockaddr *)&address, size) < 0)
		return -1;
	if (fchmodat(AT_FDCWD, path, 0666, AT_SYMLINK_NOFOLLOW) < 0) {
		int code = errno;
		unlink(path);
		errno = code;
		return -1;
	}
	return 0;
}

int touchgrid_socket_connect(int socket, const char *path)
{
	struct sockaddr_un address;
	socklen_t size;
	if (address_of(path, &address, &size) < 0)
		return -1;
	int result;
	do
		result = connect(socket, (struct sockaddr *)&address, size);
	while (result < 0 && errno == EINTR);
	return result;
}

int touchgrid_socket_set_timeout(int socket, int64_t microseconds)
{
	struct timeval limit = {
		.tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000,
	};
	return setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

/* Keeps clients from sending descriptors. Kernels before Linux 6.16 do not support this; there, the
 * descriptors are closed when the message is read. */
static void refuse_descriptors(int socket)
{
	int no = 0;
	setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no);
}

int touchgrid_socket_listen(int socket)
{
	refuse_descriptors(socket);
	return listen(socket, 128);
}

static int option_of(int socket, int option, int expected)
{
	int value = 0;
	socklen_t size = sizeof value;
	if (getsockopt(socket, SOL_SOCKET, option, &value, &size) < 0)
		return -1;
	if (value != expected) {
		errno = EPROTOTYPE;
		return -1;
	}
	return 0;
}

int touchgrid_socket_adopt(int socket)
{
	if (option_of(socket, SO_DOMAIN, AF_UNIX) < 0 || option_of(socket, SO_TYPE, SOCK_STREAM) < 0 ||
	    option_of(socket, SO_ACCEPTCONN, 1) < 0)
		return -1;
	refuse_descriptors(socket);
	int flags = fcntl(socket, F_GETFL);
	if (flags < 0 || fcntl(socket, F_SETFL, flags | O_NONBLOCK) < 0)
		return -1;
	return fcntl(socket, F_SETFD, FD_CLOEXEC);
}

int touchgrid_socket_accept(int socket)
{
	int connection;
	do
		connection = accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	while (connection < 0 && errno == EINTR);
	return connection;
}

ssize_t touchgrid_socket_send(int socket, const void *bytes, size_t count)
{
	ssize_t sent;
	do
		sent = send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (sent < 0 && errno == EINTR);
	return sent;
}

ssize_t touchgrid_socket_receive(int socket, void *bytes, size_t count)
{
	ssize_t received;
	do
		received = recv(socket, bytes, count, MSG_DONTWAIT);
	while (received < 0 && errno == EINTR);
	return received;
}

int touchgrid_socket_end_sending(int socket) { return shutdown(socket, SHUT_WR); }

int touchgrid_socket_wait(int socket, int for_output, int64_t microseconds)
{
	struct pollfd ready = { .fd = socket, .events = for_output ? POLLOUT : POLLIN };
	struct timespec limit = {
		.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000,
	};
	int found = ppoll(&ready, 1, microseconds < 0 ? NULL : &limit, NULL);
	return found < 0 && errno == EINTR ? 0 : found;
}

int touchgrid_socket_peer(int socket, struct touchgrid_peer *peer)
{
	struct ucred credentials;
	socklen_t size = sizeof credentials;
	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
		return -1;
	*peer = (struct touchgrid_peer){
		.process = credentials.pid, .user = credentials.uid, .group = credentials.gid,
	};
	return 0;
}

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

int touchgrid_socket_peer_groups(int socket, uint32_t *groups, int count)
{
	socklen_t size = (socklen_t)((size_t)count * sizeof *groups);
	if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0 && errno != ERANGE)
		return -1;
	return (int)(size / sizeof *groups);
}

int touchgrid_socket_file(const char *path, uint64_t *device, uint64_t *inode)
{
	struct stat status;
	if (lstat(path, &status) < 0)
		return errno == ENOENT ? 0 : -1;
	*device = status.st_dev;
	*inode = status.st_ino;
	return S_ISSOCK(status.st_mode) ? 1 : 2;
}

int touchgrid_notify(const char *path, const char *text, size_t count)
{
	struct sockaddr_un address;
	socklen_t size;
	if (address_of(path, &address, &size) < 0)
		return -1;
	if (path[0] == '@') {
		/* An abstract address begins with a NUL and does not end with one. */
		address.sun_path[0] = 0;
		size--;
	}
	int datagram = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (datagram < 0)
		return -1;
	touchgrid_socket_set_timeout(datagram, 20000);
	ssize_t sent =
		sendto(datagram, text, count, MSG_NOSIGNAL, (struct sockaddr *)&address, size);
	int code = errno;
	close(datagram);
	errno = code;
	return sent < 0 ? -1 : 0;
}

int touchgrid_process_inode(uint64_t *inode)
{
	struct stat status;
	int process = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (process < 0)
		return -1;
	int result = fstat(process, &status);
	close(process);
	*inode = status.st_ino;
	return result;
}

int touchgrid_eventfd_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void touchgrid_eventfd_ring(int descriptor)
{
	uint64_t one = 1;
	/* EAGAIN is ignored: the counter is at its maximum, so the descriptor is readable already. */
	while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {
	}
}

void touchgrid_eventfd_drain(int descriptor)
{
	uint64_t count;
	while (read(descriptor, &count, sizeof count) < 0 && errno == EINTR) {
	}
}
