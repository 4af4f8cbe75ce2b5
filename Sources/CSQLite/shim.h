#include <sqlite3.h>

/* sqlite3_db_config takes a variable number of arguments, which Swift cannot pass. Keeps SQL from damaging the
 * file by writing to SQLite's own tables. */
static inline int touchgrid_sqlite_defend(sqlite3 *database)
{
	return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/* Whether closing the last connection leaves the log where it is, rather than copying it into the database. */
static inline int touchgrid_sqlite_leave_log(sqlite3 *database, int leave)
{
	return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leave, (int *)0);
}

/* To be called once, before anything else of SQLite: memory for pages is taken page by page. Otherwise every database takes room for twenty
 * at once, also those that a statement makes for itself: a CHECK with a list is one. */
static inline int touchgrid_sqlite_take_single_pages(void)
{
	return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}
