#include "Owners.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/keyctl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

struct owners {
	struct touchgrid_owner *found;
	int limit, count;
};

static void note(struct owners *owners, uint32_t user, uint32_t group)
{
	if (user == 0)
		return;
	for (int i = 0; i < owners->count; i++)
		if (owners->found[i].user == user)
			return;
	if (owners->count < owners->limit)
		owners->found[owners->count++] = (struct touchgrid_owner){user, group};
}

/* Returns whether the folder has an access list, or may have one. With a list, the group bits of
 * the mode are the mask: the most that the list grants to any other user or group (acl(5)). */
static int has_list(int folder)
{
	char self[32];
	snprintf(self, sizeof self, "/proc/self/fd/%d", folder);
	return getxattr(self, "system.posix_acl_access", NULL, 0) >= 0
	       || (errno != ENODATA && errno != ENOTSUP);
}

/* Returns whether the group is the private group of the user (Debian's USERGROUPS): the user's
 * primary group, of the same name, without members, and no other user's primary group. Misses users
 * that a name service does not enumerate. */
static int is_private(gid_t group, uid_t user)
{
	const struct passwd *owner = getpwuid(user);
	const struct group *entry;
	char name[256];
	if (!owner || owner->pw_gid != group || strlen(owner->pw_name) >= sizeof name)
		return 0;
	strcpy(name, owner->pw_name);
	entry = getgrgid(group);
	if (!entry || strcmp(entry->gr_name, name) != 0 || entry->gr_mem[0])
		return 0;
	int is_only = 1;
	setpwent();
	while (is_only && (owner = getpwent()))
		is_only = owner->pw_gid != group || owner->pw_uid == user;
	endpwent();
	return is_only;
}

/* Returns whether users other than its owner and root may write in the folder. */
static int is_shared(int folder, const struct stat *status)
{
	if (status->st_mode & S_IWOTH)
		return 1;
	if (!(status->st_mode & S_IWGRP))
		return 0;
	return has_list(folder) || (status->st_gid != 0 && !is_private(status->st_gid, status->st_uid));
}

/* Records the users who can change the target of a name in a folder. The owner of the folder
 * always can. If the folder is shared, others can as well:
 * - A folder or link on the path: every user, if the entry is missing and can be created, or if
 *   the folder is not sticky and the entry can be moved away. Otherwise the owner of the entry.
 * - The last name: every user if `is_strict`, because they can put files beside it. Otherwise
 *   the owner of the entry, if there is one: a file that is created first and named afterwards
 *   is safe from the others, provided that no link of that name is followed (`FileReplacement`). */
static void note_lookup(
	struct owners *owners, int folder, const struct stat *status, const struct stat *entry,
	int is_last, int is_strict)
{
	note(owners, status->st_uid, status->st_gid);
	if (!is_shared(folder, status))
		return;
	int can_be_moved = !(entry && status->st_mode & S_ISVTX);
	if (is_last ? is_strict : can_be_moved)
		note(owners, TOUCHGRID_ANYBODY, TOUCHGRID_ANYBODY);
	else if (entry)
		note(owners, entry->st_uid, entry->st_gid);
}

/* Puts `head` and a slash in front of the rest of the path. ENAMETOOLONG if there is no room. */
static int prepend(char rest[PATH_MAX], const char *head)
{
	char whole[PATH_MAX];
	int length = snprintf(whole, sizeof whole, "%s/%s", head, rest);
	if (length >= (int)sizeof whole) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(rest, whole, (size_t)length + 1);
	return 0;
}

/* Moves the first name from the rest of the path to `name`. Returns 1; 0 if there is none; -1 if it
 * is too long. */
static int next_name(char rest[PATH_MAX], char name[NAME_MAX + 1], int *is_last)
{
	size_t start = strspn(rest, "/");
	size_t length = strcspn(rest + start, "/");
	if (length == 0)
		return 0;
	if (length > NAME_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(name, rest + start, length);
	name[length] = 0;
	size_t end = start + length;
	memmove(rest, rest + end, strlen(rest + end) + 1);
	*is_last = rest[strspn(rest, "/")] == 0;
	return 1;
}

/* Follows the next name. Returns 1 if more names may follow; 0 at the end of the path, at a file
 * and at a missing name; -1 if the path cannot be followed. */
static int step(
	int *folder, struct stat *here, char rest[PATH_MAX], int *links, struct owners *owners,
	int is_strict)
{
	char name[NAME_MAX + 1], target[PATH_MAX];
	int is_last, found = next_name(rest, name, &is_last);
	if (found <= 0)
		return found;
	if (strcmp(name, ".") == 0)
		return 1;
	struct stat status;
	int entry = openat(*folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (entry < 0 || fstat(entry, &status) < 0) {
		note_lookup(owners, *folder, here, NULL, is_last, is_strict);
		if (entry >= 0)
			close(entry);
		return 0;
	}
	int is_link = S_ISLNK(status.st_mode);
	note_lookup(owners, *folder, here, &status, is_last && !is_link, is_strict);
	if (S_ISDIR(status.st_mode)) {
		close(*folder);
		*folder = entry;
		*here = status;
		return 1;
	}
	ssize_t length = is_link ? readlinkat(entry, "", target, sizeof target - 1) : 0;
	close(entry);
	if (!is_link)
		return 0;
	if (length < 0)
		return -1;
	if (++*links > 40) {
		errno = ELOOP;
		return -1;
	}
	target[length] = 0;
	if (prepend(rest, target) < 0)
		return -1;
	if (target[0] != '/')
		return 1;
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0 || fstat(root, here) < 0) {
		if (root >= 0)
			close(root);
		return -1;
	}
	close(*folder);
	*folder = root;
	return 1;
}

int touchgrid_path_owners(const char *path, int is_strict, struct touchgrid_owner *owners, int limit)
{
	char rest[PATH_MAX];
	if (strlen(path) >= sizeof rest) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(rest, path);
	if (path[0] != '/') {
		char current[PATH_MAX];
		if (!getcwd(current, sizeof current) || prepend(rest, current) < 0)
			return -1;
	}
	struct owners found = {owners, limit, 0};
	struct stat here;
	int folder = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), links = 0, result = -1;
	if (folder < 0)
		return -1;
	if (fstat(folder, &here) == 0)
		while ((result = step(&folder, &here, rest, &links, &found, is_strict)) > 0) {
		}
	int code = errno;
	close(folder);
	errno = code;
	return result < 0 ? -1 : found.count;
}

int touchgrid_become(uint32_t user, uint32_t group, const char *more)
{
	gid_t groups[1024];
	int count = 0;
	const struct passwd *entry = getpwuid(user);
	if (entry) {
		group = entry->pw_gid;
		count = sizeof groups / sizeof *groups - 1;
		if (getgrouplist(entry->pw_name, group, groups, &count) < 0) {
			errno = E2BIG;
			return -1;
		}
	}
	const struct group *other = more ? getgrnam(more) : NULL;
	if (other)
		groups[count++] = other->gr_gid;
	if (setgroups((size_t)count, groups) < 0 || setresgid(group, group, group) < 0
		|| setresuid(user, user, user) < 0)
		return -1;
	/* Other programs of the user must not inspect this process, because it was root's. Without
	 * this, some settings of the kernel would allow it. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -1;
	if (setresuid((uid_t)-1, 0, (uid_t)-1) == 0) {
		errno = EPERM;
		return -1;
	}
	return 0;
}

int touchgrid_fork(void) { return fork(); }

/* Replaces root's session keyring by an empty one. */
static int leave_keyring(void)
{
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0)
		return 0;
	/* If the kernel has no keys, or a sandbox forbids them, there is no keyring to leave. */
	return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0) < 0 ? 0 : -1;
}

/* Makes the kernel kill this process when its parent ends. A later change of the user would undo
 * this. */
static int end_with(pid_t parent)
{
	return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != parent ? -1 : 0;
}

/* Drops everything that this process inherits from its parent: user, session, keyring, signals,
 * and descriptors other than `input` and `output`. */
static int leave(pid_t parent, uint32_t user, uint32_t group, int input, int output)
{
	sigset_t none;
	sigemptyset(&none);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0 || setsid() < 0 || dup2(input < 0 ? null : input, 0) < 0 || dup2(output, 1) < 0
		|| dup2(null, 2) < 0 || close_range(3, ~0U, 0) < 0 || chdir("/") < 0
		|| (user != 0 && touchgrid_become(user, group, NULL) < 0) || leave_keyring() < 0
		|| prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || end_with(parent) < 0)
		return -1;
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	return sigprocmask(SIG_SETMASK, &none, NULL);
}

int touchgrid_start_as(
	uint32_t user, uint32_t group, const char *path, char *const arguments[],
	char *const environment[], int *input, int *output)
{
	int ends[2], in[2] = {-1, -1};
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	if (input && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) < 0) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	pid_t parent = getpid(), process = fork();
	if (process == 0) {
		if (leave(parent, user, group, in[0], ends[1]) < 0)
			_exit(127);
		if (!path)
			return 0;
		execve(path, arguments, environment);
		_exit(127);
	}
	close(ends[1]);
	if (in[0] >= 0)
		close(in[0]);
	if (process < 0) {
		close(ends[0]);
		if (in[1] >= 0)
			close(in[1]);
	}
	*output = ends[0];
	if (input)
		*input = in[1];
	return process;
}

int touchgrid_socket_pair(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}
