#include "CTestZone.h"

#include <stdlib.h>

// All tests run in one process, and many at a time: it has its zone before the first of them looks at a calendar.
__attribute__((constructor)) static void set_zone(void) { setenv("TZ", TEST_ZONE, 1); }
