/* System calls and constants that Swift's Glibc module lacks, and the function-like macros of
 * linux/input.h as functions. Unless stated otherwise, a function returns -1 and sets errno when it
 * fails. */
#ifndef CLINUX_H
#define CLINUX_H

#include <linux/input.h>
#include <stddef.h>
#include <stdint.h>

#include "Files.h"
#include "Owners.h"
#include "Sockets.h"

/* Returns the English text for an error number, as a static string. */
const char *touchgrid_error_text(int code);

/* An event of epoll, level-triggered. */
struct touchgrid_ready {
	uint64_t token;
	int is_readable;
	int is_writable;
	int is_broken;
};
int touchgrid_epoll_create(void);
/* Watches a descriptor for input, output, both or neither. EPOLLHUP and EPOLLERR are always
 * reported. is_new: 1 adds the descriptor, 0 changes the watched events. */
int touchgrid_epoll_set(
	int epoll, int descriptor, uint64_t token, int is_new, int input, int output);
int touchgrid_epoll_remove(int epoll, int descriptor);
/* Waits for events. Returns their number: at most count and at most 32; 0 after a timeout.
 * milliseconds: -1 waits without limit. */
int touchgrid_epoll_wait(int epoll, struct touchgrid_ready *ready, int count, int milliseconds);

/* Overwrites 16 KiB of the stack below the caller. */
void touchgrid_wipe_stack(void);

/* Disables core dumps, and keeps other processes of the user from reading the memory. */
int touchgrid_forbid_dumps(void);

/* Returns an inotify descriptor that reports changed attributes (owner, mode, access list) of files
 * in a folder. */
int touchgrid_watch_attributes(const char *folder);
/* Returns an inotify descriptor that also reports files that appear in the folder, and that the
 * folder itself is moved or removed. */
int touchgrid_watch_arrivals(const char *folder);
/* Returns whether one of the events read from such a descriptor may be about a file of that name: 0
 * or 1; -1 if the folder was moved, removed or unmounted. */
int touchgrid_arrival(const char *events, size_t size, const char *name);

/* Opens a file, locks it by flock and returns its descriptor. EWOULDBLOCK if another process still
 * holds the lock after `milliseconds`. `flags` are further flags of open. */
int touchgrid_lock(const char *path, int flags, int milliseconds);
/* Locks a folder in the same way. */
int touchgrid_lock_folder(const char *path, int milliseconds);
/* Returns 1 if `path` leads to the open file `file`, and 0 if not or if that is unknown. */
int touchgrid_is_at(int file, const char *path);

/* CLOCK_MONOTONIC and CLOCK_BOOTTIME in microseconds; CLOCK_REALTIME in milliseconds. */
int64_t touchgrid_monotonic(void);
int64_t touchgrid_boottime(void);
int64_t touchgrid_wall(void);

/* A timer on CLOCK_BOOTTIME. */
int touchgrid_timer_create(void);
/* Arms the timer for a time on that clock; 0 disarms it. */
int touchgrid_timer_set(int timer, int64_t microseconds);

/* Blocks signals in this thread and in threads that it creates later, and returns a descriptor that
 * reads them. Also makes the process ignore SIGPIPE. */
int touchgrid_signals_open(const int *signals, int count);
/* Unblocks all signals. */
void touchgrid_signals_release(void);
/* Waits for a signal for at most this time; an interruption may end the wait early. Returns 0 in
 * all of these cases. */
int touchgrid_signals_wait(int descriptor, int64_t microseconds);
/* Returns the number of the next signal; 0 if none has arrived. Never waits. */
int touchgrid_signals_next(int descriptor);

/* Event devices (kernel: drivers/input/evdev.c). */

/* Has the layout of InputEvent in Swift. */
struct touchgrid_event {
	int64_t microseconds;
	uint16_t type;
	uint16_t code;
	int32_t value;
};
/* Reads up to 64 events and returns their number; 0 if none is waiting. */
int touchgrid_evdev_read(int descriptor, struct touchgrid_event *events, int count);
int touchgrid_evdev_set_clock_monotonic(int descriptor);
/* Makes the kernel pass on only the given codes of an event type. `codes` has one bit for each
 * code; `size` is in bytes. */
int touchgrid_evdev_set_mask(int descriptor, uint16_t type, const uint8_t *codes, size_t size);
/* Reads the value of a multitouch axis for the first `count` slots. EINVAL above 256. */
int touchgrid_evdev_slots(int descriptor, uint16_t code, int32_t *values, size_t count);
/* Reads the current value of an axis. */
int touchgrid_evdev_axis(int descriptor, uint16_t code, int32_t *value);
/* Returns whether a key or button is down: 0 or 1. */
int touchgrid_evdev_key(int descriptor, uint16_t code);

#endif
