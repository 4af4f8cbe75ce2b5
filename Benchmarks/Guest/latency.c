/* A client that watches touches for SECONDS. At the end it prints one line per frame: the time in
 * ns from the kernel's timestamp of the frame to its arrival here. Usage: latency SOCKET SECONDS */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const char call[] = "{\"method\":\"io.touchgrid.WatchTouches\",\"more\":true}";

static long long now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words)
{
	static char buffer[1 << 20];
	static long long late[1 << 20];
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t filled = 0, frames = 0;
	if (count != 3 || strlen(words[1]) >= sizeof address.sun_path) return 2;
	strcpy(address.sun_path, words[1]);
	int stream = socket(AF_UNIX, SOCK_STREAM, 0);
	if (stream < 0 || connect(stream, (struct sockaddr *)&address, sizeof address)
	    || write(stream, call, sizeof call) != sizeof call)
		return perror("latency"), 1;
	long long end = now() + atoi(words[2]) * 1000000000LL;
	struct pollfd ready = {stream, POLLIN, 0};
	while (now() < end && frames < sizeof late / sizeof *late) {
		if (poll(&ready, 1, 100) == 0) continue;
		ssize_t got = read(stream, buffer + filled, sizeof buffer - 1 - filled);
		long long at = now();
		if (got <= 0) return fprintf(stderr, "latency: the daemon has hung up\n"), 1;
		filled += got;
		char *message = buffer, *close;
		while ((close = memchr(message, 0, buffer + filled - message))) {
			char *time = strstr(message, "\"atUs\":");
			if (!time) return fprintf(stderr, "latency: %s\n", message), 1;
			late[frames++] = at - atoll(time + 7) * 1000;
			message = close + 1;
		}
		filled -= message - buffer;
		memmove(buffer, message, filled);
	}
	/* The first reply is the initial state and not a frame. */
	for (size_t frame = 1; frame < frames; frame++) printf("%lld\n", late[frame]);
	return 0;
}
