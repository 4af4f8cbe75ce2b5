#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

const char *touchgrid_error_text(int code)
{
	const char *text = strerrordesc_np(code);
	return text ? text : "unknown error";
}

int touchgrid_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int touchgrid_epoll_set(
	int epoll, int descriptor, uint64_t token, int is_new, int input, int output)
{
	struct epoll_event event = {
		.events = (input ? EPOLLIN : 0) | (output ? EPOLLOUT : 0), .data.u64 = token,
	};
	return epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

int touchgrid_epoll_remove(int epoll, int descriptor)
{
	return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

int touchgrid_epoll_wait(int epoll, struct touchgrid_ready *ready, int count, int milliseconds)
{
	struct epoll_event events[32];
	int found;
	do
		found = epoll_wait(epoll, events, count < 32 ? count : 32, milliseconds);
	while (found < 0 && errno == EINTR);
	for (int i = 0; i < found; i++) {
		ready[i].token = events[i].data.u64;
		ready[i].is_readable = !!(events[i].events & EPOLLIN);
		ready[i].is_writable = !!(events[i].events & EPOLLOUT);
		ready[i].is_broken = !!(events[i].events & (EPOLLHUP | EPOLLERR));
	}
	return found;
}

void touchgrid_wipe_stack(void)
{
	char below[16384];
	explicit_bzero(below, sizeof below);
}

int touchgrid_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

static int watch_folder(const char *folder, uint32_t mask)
{
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch >= 0 && inotify_add_watch(watch, folder, mask | IN_ONLYDIR) < 0) {
		int code = errno;
		close(watch);
		errno = code;
		return -1;
	}
	return watch;
}

int touchgrid_watch_attributes(const char *folder)
{
	return watch_folder(folder, IN_ATTRIB);
}

int touchgrid_watch_arrivals(const char *folder)
{
	return watch_folder(folder, IN_ATTRIB | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF);
}

int touchgrid_arrival(const char *events, size_t size, const char *name)
{
	int found = 0;
	while (size >= sizeof(struct inotify_event)) {
		struct inotify_event event;
		memcpy(&event, events, sizeof event);
		if (event.len > size - sizeof event)
			break;
		if (event.mask & (IN_IGNORED | IN_MOVE_SELF | IN_UNMOUNT))
			return -1;
		/* Without a name, events were lost, or the event is about the folder itself, such as its
		 * permissions: in both cases the file may be concerned. */
		if (event.mask & IN_Q_OVERFLOW || !event.len
			|| !strncmp(events + sizeof event, name, event.len))
			found = 1;
		events += sizeof event + event.len;
		size -= sizeof event + event.len;
	}
	return found;
}

int touchgrid_is_at(int file, const char *path)
{
	struct stat ours, there;
	return fstat(file, &ours) == 0 && stat(path, &there) == 0 && ours.st_dev == there.st_dev
	       && ours.st_ino == there.st_ino;
}

/* Locks an open file or folder, or closes it. */
static int lock_within(int file, int milliseconds)
{
	for (int waited = 0; flock(file, LOCK_EX | LOCK_NB) < 0; waited += 10) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || waited >= milliseconds) {
			int code = errno;
			close(file);
			errno = code;
			return -1;
		}
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	return file;
}

int touchgrid_lock_folder(const char *path, int milliseconds)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return folder < 0 ? -1 : lock_within(folder, milliseconds);
}

int touchgrid_lock(const char *path, int flags, int milliseconds)
{
	for (;;) {
		int file = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | flags, 0640);
		if (file < 0 || lock_within(file, milliseconds) < 0)
			return -1;
		/* The previous holder of the lock may have put another file at the path. */
		if (touchgrid_is_at(file, path))
			return file;
		close(file);
	}
}

static int64_t clock_in(clockid_t clock, int64_t per_second)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return now.tv_sec * per_second + now.tv_nsec / (1000000000 / per_second);
}

int64_t touchgrid_monotonic(void) { return clock_in(CLOCK_MONOTONIC, 1000000); }
int64_t touchgrid_boottime(void) { return clock_in(CLOCK_BOOTTIME, 1000000); }
int64_t touchgrid_wall(void) { return clock_in(CLOCK_REALTIME, 1000); }

int touchgrid_timer_create(void)
{
	return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
}

int touchgrid_timer_set(int timer, int64_t microseconds)
{
	struct itimerspec at = {
		.it_value = { .tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000 },
	};
	return timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

int touchgrid_signals_open(const int *signals, int count)
{
	/* If the reader of our output closes it, SIGPIPE must not end the process and its session. */
	signal(SIGPIPE, SIG_IGN);
	sigset_t set;
	sigemptyset(&set);
	for (int i = 0; i < count; i++)
		sigaddset(&set, signals[i]);
	if ((errno = pthread_sigmask(SIG_BLOCK, &set, NULL)))
		return -1;
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

void touchgrid_signals_release(void)
{
	sigset_t set;
	sigfillset(&set);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

int touchgrid_signals_wait(int descriptor, int64_t microseconds)
{
	struct pollfd ready = { .fd = descriptor, .events = POLLIN };
	struct timespec limit = {
		.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000,
	};
	return ppoll(&ready, 1, &limit, NULL) < 0 && errno != EINTR ? -1 : 0;
}

int touchgrid_signals_next(int descriptor)
{
	struct signalfd_siginfo info;
	ssize_t size = read(descriptor, &info, sizeof info);
	if (size == sizeof info)
		return (int)info.ssi_signo;
	return size < 0 && errno != EAGAIN && errno != EINTR ? -1 : 0;
}

int touchgrid_evdev_read(int descriptor, struct touchgrid_event *events, int count)
{
	struct input_event raw[256];
	const int room = sizeof raw / sizeof *raw;
	ssize_t size;
	do
		size = read(descriptor, raw, (count < room ? count : room) * sizeof *raw);
	while (size < 0 && errno == EINTR);
	if (size < 0)
		return errno == EAGAIN ? 0 : -1;
	int found = (int)(size / (ssize_t)sizeof *raw);
	for (int i = 0; i < found; i++) {
		events[i].microseconds = (int64_t)raw[i].input_event_sec * 1000000 + raw[i].input_event_usec;
		events[i].type = raw[i].type;
		events[i].code = raw[i].code;
		events[i].value = raw[i].value;
	}
	// Touches in masks must not remain in memory, where a dump would reveal them.
	explicit_bzero(raw, size);
	return found;
}

int touchgrid_evdev_set_clock_monotonic(int descriptor)
{
	int clock = CLOCK_MONOTONIC;
	return ioctl(descriptor, EVIOCSCLOCKID, &clock);
}

int touchgrid_evdev_set_mask(int descriptor, uint16_t type, const uint8_t *codes, size_t size)
{
	struct input_mask mask = {
		.type = type, .codes_size = (uint32_t)size, .codes_ptr = (uint64_t)(uintptr_t)codes,
	};
	return ioctl(descriptor, EVIOCSMASK, &mask);
}

int touchgrid_evdev_slots(int descriptor, uint16_t code, int32_t *values, size_t count)
{
	struct { uint32_t code; int32_t values[256]; } request = { .code = code };
	if (count > sizeof request.values / sizeof *request.values) {
		errno = EINVAL;
		return -1;
	}
	if (ioctl(descriptor, EVIOCGMTSLOTS(sizeof request.code + count * sizeof *values), &request) < 0)
		return -1;
	memcpy(values, request.values, count * sizeof *values);
	return 0;
}

int touchgrid_evdev_axis(int descriptor, uint16_t code, int32_t *value)
{
	struct input_absinfo info;
	if (ioctl(descriptor, EVIOCGABS(code), &info) < 0)
		return -1;
	*value = info.value;
	return 0;
}

int touchgrid_evdev_key(int descriptor, uint16_t code)
{
	uint8_t keys[KEY_MAX / 8 + 1] = { 0 };
	if (code > KEY_MAX) {
		errno = EINVAL;
		return -1;
	}
	if (ioctl(descriptor, EVIOCGKEY(sizeof keys), keys) < 0)
		return -1;
	return keys[code / 8] >> code % 8 & 1;
}
