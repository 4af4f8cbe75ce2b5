/* libevdev-uinput.h includes this header by the path that pkg-config adds. */
#include <libevdev-1.0/libevdev/libevdev.h>
