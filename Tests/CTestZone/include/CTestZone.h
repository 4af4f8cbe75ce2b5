/// The time zone of all tests is Berlin's, in POSIX notation, which needs no tzdata.
#define TEST_ZONE "CET-1CEST,M3.5.0,M10.5.0/3"
