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

/* As open(2), whose header would make this module the owner of `struct stat`. */
typedef int (*touchgrid_sqlite_open)(const char *path, int flags, int mode);

/* To be called once, before a file is opened: how files are opened from then on. */
static inline int touchgrid_sqlite_open_with(touchgrid_sqlite_open body)
{
	sqlite3_vfs *files = sqlite3_vfs_find((void *)0);
	if (!files || files->iVersion < 3)
		return SQLITE_ERROR;
	return files->xSetSystemCall(files, "open", (sqlite3_syscall_ptr)body);
}
