#include <sqlite3.h>

/* Keeps SQL statements from damaging the file, for example by writing to SQLite's own tables.
 * Written in C because sqlite3_db_config takes a variable number of arguments, which Swift cannot
 * pass. */
static inline int touchgrid_sqlite_defend(sqlite3 *database)
{
	return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/* Sets whether closing the last connection leaves the WAL as it is, instead of copying it into the
 * database. */
static inline int touchgrid_sqlite_leave_log(sqlite3 *database, int leave)
{
	return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leave, (int *)0);
}

/* Makes SQLite allocate memory for each page separately. By default every database allocates twenty
 * pages at once, even the temporary databases that SQLite creates for some statements, such as a
 * CHECK with a list. Call it once, before any other function of SQLite. */
static inline int touchgrid_sqlite_take_single_pages(void)
{
	return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/* The type of open(2). Including the header of open(2) would make this module the owner of
 * `struct stat`. */
typedef int (*touchgrid_sqlite_open)(const char *path, int flags, int mode);

/* Sets the function with which SQLite opens files. Call it once, before a file is opened. Returns
 * SQLITE_ERROR if this version of SQLite does not support that. */
static inline int touchgrid_sqlite_open_with(touchgrid_sqlite_open body)
{
	sqlite3_vfs *files = sqlite3_vfs_find((void *)0);
	if (!files || files->iVersion < 3)
		return SQLITE_ERROR;
	return files->xSetSystemCall(files, "open", (sqlite3_syscall_ptr)body);
}
