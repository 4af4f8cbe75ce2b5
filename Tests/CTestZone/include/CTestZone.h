/// The time zone of all tests, Berlin's, as POSIX writes it: no files needed.
#define TEST_ZONE "CET-1CEST,M3.5.0,M10.5.0/3"
