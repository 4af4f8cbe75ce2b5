// A kiosk app that tells Touchgrid what it shows, in C without any library.
// To build it: cc -o kiosk kiosk.c
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int connection = -1;

static int hang_up(int code) {
  close(connection);
  connection = -1;
  errno = code;
  return -1;
}

// Sends a message (JSON and a NUL) and reads the reply. Returns -1 if the connection is lost.
static int ask(const char *method, const char *parameters) {
  char message[1024], reply[8192];
  size_t length = 0;
  int size = snprintf(message, sizeof message, "{\"method\":\"io.touchgrid.%s\",\"parameters\":{%s}}",
                      method, parameters) + 1;
  if (size > (int)sizeof message) return hang_up(EMSGSIZE);
  if (send(connection, message, size, MSG_NOSIGNAL) != size) return hang_up(errno);
  do {
    ssize_t more = recv(connection, reply + length, sizeof reply - length, 0);
    // 0: the connection was closed, or the reply is longer than any that Touchgrid sends.
    if (more <= 0) return hang_up(more < 0 ? errno : ECONNRESET);
    length += more;
  } while (reply[length - 1] != 0);
  // Quotes within texts are escaped, so this finds only the member "error".
  if (strstr(reply, "\"error\":")) fprintf(stderr, "touchgrid: %s\n", reply);
  return 0;
}

static int connect_again(void) {
  const char *path = getenv("TOUCHGRID_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct timeval second = {.tv_sec = 1};
  strncpy(address.sun_path, path ? path : "/run/touchgrid/io.touchgrid", sizeof address.sun_path - 1);
  connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return -1;
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof second);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) < 0) return hang_up(errno);
  // On each connection, because a restarted daemon knows only the masks of its configuration.
  return ask("AddMask", "\"mask\":{\"screen\":\"checkout/pin\","
                        "\"rectangle\":{\"x\":0,\"y\":300,\"width\":480,\"height\":500}}");
}

// If Touchgrid is missing, stopped or restarted, the app goes on.
static void touchgrid(const char *method, const char *parameters) {
  // An open connection may belong to a daemon that is gone.
  if (connection >= 0 && ask(method, parameters) == 0) return;
  if (connect_again() < 0 || ask(method, parameters) < 0) perror("touchgrid");
}

// Call this just before the screen appears. The name must have no quotes and backslashes, because
// it is not escaped for JSON.
static void show(const char *screen) {
  char parameters[512];
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);  // Touches are timed by this clock.
  snprintf(parameters, sizeof parameters, "\"name\":\"%s\",\"changedAtUs\":%lld", screen,
           now.tv_sec * 1000000LL + now.tv_nsec / 1000);
  touchgrid("SetScreen", parameters);
}

int main(void) {
  char screen[256];
  touchgrid("BeginSession", "\"tags\":{\"build\":\"1.4\"}");
  // Your app goes here. In this example, each line that you type is the name of the next screen.
  while (fgets(screen, sizeof screen, stdin)) {
    screen[strcspn(screen, "\n")] = 0;
    // Do not record the staff.
    touchgrid(strcmp(screen, "service") == 0 ? "Pause" : "Resume", "");
    show(screen);
  }
  touchgrid("TagSession", "\"tags\":{\"outcome\":\"paid\"}");
  touchgrid("EndSession", "");
}
