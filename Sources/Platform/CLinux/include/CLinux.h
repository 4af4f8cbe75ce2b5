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

/* The English text for an error number; valid without limit. */
const char *touchgrid_error_text(int code);

/* epoll, level-triggered. */
struct touchgrid_ready {
	uint64_t token;
	int is_readable;
	int is_writable;
	int is_broken;
};
int touchgrid_epoll_create(void);
/* Watches a descriptor for input, output, both, or only for the end of the other side. */
int touchgrid_epoll_set(
	int epoll, int descriptor, uint64_t token, int is_new, int input, int output);
int touchgrid_epoll_remove(int epoll, int descriptor);
/* Waits for 1 to 32 events and returns their number; -1 milliseconds: no limit. */
int touchgrid_epoll_wait(int epoll, struct touchgrid_ready *ready, int count, int milliseconds);

/* Overwrites 16 KiB of the stack below the caller. */
void touchgrid_wipe_stack(void);

/* Disables core dumps, and keeps other processes of the user from reading the memory. */
int touchgrid_forbid_dumps(void);

/* Reports changed attributes (owner, mode, access list) of files in a folder. */
int touchgrid_watch_attributes(const char *folder);
/* Also reports files that appear, and the end of the folder itself. */
int touchgrid_watch_arrivals(const char *folder);
/* Whether one of these events may be about a file of that name. -1: the folder was moved or
 * removed. */
int touchgrid_arrival(const char *events, size_t size, const char *name);

/* Opens a file and locks it for this process; EWOULDBLOCK if another process holds the lock.
 * `flags` are further flags of open. */
int touchgrid_lock(const char *path, int flags);
/* Whether `path` still names the open file `file`. */
int touchgrid_is_at(int file, const char *path);

/* CLOCK_MONOTONIC and CLOCK_BOOTTIME in microseconds; CLOCK_REALTIME in milliseconds. */
int64_t touchgrid_monotonic(void);
int64_t touchgrid_boottime(void);
int64_t touchgrid_wall(void);

/* A timer on CLOCK_BOOTTIME; 0 disarms it. */
int touchgrid_timer_create(void);
int touchgrid_timer_set(int timer, int64_t microseconds);

/* Blocks signals in this thread and in threads created from it later, and returns a descriptor that
 * reads them. */
int touchgrid_signals_open(const int *signals, int count);
/* Unblocks all signals. */
void touchgrid_signals_release(void);
/* Waits until there is a signal, at most for this time; an interruption may end the wait early. */
int touchgrid_signals_wait(int descriptor, int64_t microseconds);
/* Returns the number of the next signal; 0 if there is none. */
int touchgrid_signals_next(int descriptor);

/* Event devices (kernel: drivers/input/evdev.c). */

struct touchgrid_event {
	int64_t microseconds;
	uint16_t type;
	uint16_t code;
	int32_t value;
};
/* Reads up to 64 events and returns their number; 0 if none is waiting. */
int touchgrid_evdev_read(int descriptor, struct touchgrid_event *events, int count);
int touchgrid_evdev_set_clock_monotonic(int descriptor);
/* Lets only the given codes of a type through. `codes` has one bit for each code. */
int touchgrid_evdev_set_mask(int descriptor, uint16_t type, const uint8_t *codes, size_t size);
/* Reads the value of a multitouch axis for every slot. */
int touchgrid_evdev_slots(int descriptor, uint16_t code, int32_t *values, size_t count);
/* Reads the current value of an axis. */
int touchgrid_evdev_axis(int descriptor, uint16_t code, int32_t *value);
/* Returns whether a key or button is down: 0 or 1. */
int touchgrid_evdev_key(int descriptor, uint16_t code);

#endif
