/* Does the least work that a reader of a touchscreen can do: reads every event with libevdev and
 * discards it. Usage: floor [--mask | --batch MS] NODE. With --mask the kernel delivers only the
 * events that the decoding of a panel with slots needs. With --batch it does so as well, and after
 * each read the program sleeps for MS ms; it reads without libevdev. */
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <libevdev/libevdev.h>

static void let(int node, unsigned type, const unsigned *codes, int count)
{
	unsigned char bits[KEY_MAX / 8 + 1] = {0};
	for (int i = 0; i < count; i++) bits[codes[i] / 8] |= 1 << codes[i] % 8;
	struct input_mask mask = {type, sizeof bits, (uintptr_t)bits};
	if (ioctl(node, EVIOCSMASK, &mask)) perror("floor: mask");
}

int main(int count, char **words)
{
	const unsigned used[] = {ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y,
		ABS_MT_TOOL_TYPE, ABS_MT_DISTANCE};
	int batch = count == 4 && !strcmp(words[1], "--batch") ? atoi(words[2]) : 0;
	int masked = batch || (count == 3 && !strcmp(words[1], "--mask"));
	int node = count == 2 + masked + !!batch ? open(words[count - 1], O_RDONLY | O_NONBLOCK) : -1;
	struct libevdev *device;
	if (node < 0 || libevdev_new_from_fd(node, &device)) return perror("floor"), 1;
	if (masked) {
		let(node, EV_ABS, used, sizeof used / sizeof *used);
		let(node, EV_KEY, NULL, 0);
		let(node, EV_MSC, NULL, 0);
	}
	int poller = epoll_create1(0), status;
	struct epoll_event ready = {.events = EPOLLIN};
	struct input_event event, events[256];
	ssize_t size;
	epoll_ctl(poller, EPOLL_CTL_ADD, node, &ready);
	for (;;) {
		epoll_wait(poller, &ready, 1, -1);
		if (batch) {
			while ((size = read(node, events, sizeof events)) == sizeof events) continue;
			if (size < 0 && errno == ENODEV) return 0;
			usleep(1000 * batch);
			continue;
		}
		while ((status = libevdev_next_event(device, LIBEVDEV_READ_FLAG_NORMAL, &event)) >= 0)
			while (status == LIBEVDEV_READ_STATUS_SYNC)
				status = libevdev_next_event(device, LIBEVDEV_READ_FLAG_SYNC, &event);
		if (status == -ENODEV) return 0;
	}
}
