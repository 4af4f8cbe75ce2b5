#include "CTestZone.h"

#include <stdlib.h>

// All tests run in one process, many at a time. The constructor sets the time zone before any test
// uses a calendar.
__attribute__((constructor)) static void set_zone(void) { setenv("TZ", TEST_ZONE, 1); }
