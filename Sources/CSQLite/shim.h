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
