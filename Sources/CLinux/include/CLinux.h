/* The system calls and constants that Swift's Glibc module lacks, and the function-like macros of
 * linux/input.h as functions. Every function returns -1 and sets errno when it fails. */
#ifndef CLINUX_H
#define CLINUX_H

#include <linux/input.h>
#include <stddef.h>
#include <stdint.h>

#include "Files.h"
#include "Owners.h"
#include "Sockets.h"

/* What an error number means, in English; lives for ever. */
const char *touchgrid_error_text(int code);

/* epoll, level-triggered. */
struct touchgrid_ready {
	uint64_t token;
	int is_readable;
	int is_writable;
	int is_broken;
};
int touchgrid_epoll_create(void);
/* Watches a descriptor for input, output, both, or only for the other end's going. */
int touchgrid_epoll_set(
	int epoll, int descriptor, uint64_t token, int is_new, int input, int output);
int touchgrid_epoll_remove(int epoll, int descriptor);
/* Waits for at least one of at most 32 events, without end where the time is -1; how many there were. */
int touchgrid_epoll_wait(int epoll, struct touchgrid_ready *ready, int count, int milliseconds);

/* Overwrites 16 KiB of the stack below the caller. */
void touchgrid_wipe_stack(void);

/* Nothing of this process's memory is dumped from now on, nor seen by others of its user. */
int touchgrid_forbid_dumps(void);

/* Tells of changed attributes (owner, mode, access list) of files in a folder. */
int touchgrid_watch_attributes(const char *folder);
/* Also where one comes, and where the folder itself goes. */
int touchgrid_watch_arrivals(const char *folder);
/* Whether one of these events may be about a file of that name; -1: the folder is no longer watched where it was. */
int touchgrid_arrival(const char *events, size_t size, const char *name);

/* Opens a file and locks it for this process; EWOULDBLOCK where another holds it. Flags: those of open to be
   added. */
int touchgrid_lock(const char *path, int flags);
/* Whether a path still leads to the file. */
int touchgrid_is_at(int file, const char *path);

/* CLOCK_MONOTONIC and CLOCK_BOOTTIME in microseconds; CLOCK_REALTIME in milliseconds. */
int64_t touchgrid_monotonic(void);
int64_t touchgrid_boottime(void);
int64_t touchgrid_wall(void);

/* A timer on CLOCK_BOOTTIME; 0 disarms it. */
int touchgrid_timer_create(void);
int touchgrid_timer_set(int timer, int64_t microseconds);

/* Blocks signals for this thread and those made later, and makes a descriptor that reads them. */
int touchgrid_signals_open(const int *signals, int count);
/* Lets signals have their usual effect again. */
void touchgrid_signals_release(void);
/* Waits until there is one, so long at the most; an interruption cuts it short. */
int touchgrid_signals_wait(int descriptor, int64_t microseconds);
/* The next signal's number; 0 where there is none. */
int touchgrid_signals_next(int descriptor);

/* Event devices (kernel: drivers/input/evdev.c). */

struct touchgrid_event {
	int64_t microseconds;
	uint16_t type;
	uint16_t code;
	int32_t value;
};
/* Reads up to 64 events; how many there were, 0 where none is waiting. */
int touchgrid_evdev_read(int descriptor, struct touchgrid_event *events, int count);
int touchgrid_evdev_set_clock_monotonic(int descriptor);
/* Lets only the named codes of a type through. `codes` holds one bit a code. */
int touchgrid_evdev_set_mask(int descriptor, uint16_t type, const uint8_t *codes, size_t size);
/* The value of one multitouch axis for every slot. */
int touchgrid_evdev_slots(int descriptor, uint16_t code, int32_t *values, size_t count);
/* The current value of an axis. */
int touchgrid_evdev_axis(int descriptor, uint16_t code, int32_t *value);
/* Whether a key or button is down: 0 or 1. */
int touchgrid_evdev_key(int descriptor, uint16_t code);

#endif
