"""The folder, or prefix of an S3 bucket, with a fleet's objects. All paths are relative to it
and have slashes. Files appear atomically: a reader never sees a partial file."""

import contextlib
import dataclasses
import errno
import fcntl
import os
import pathlib
import stat
import time
from functools import cached_property

from pyarrow import fs

from . import FleetError
from .objects import shown

# The age in s after which files of a bucket that no result names are removed. Until then, another
# machine may be writing them for a result that does not exist yet. A folder has a lock instead.
BUCKET_GRACE = 24 * 3600


@dataclasses.dataclass(frozen=True)
class File:
    """`size` in bytes; `modified` in s since 1970. `is_readable`: false for a folder that this user may
    not read, or whose path is too long."""
    path: str
    size: int
    modified: float
    is_readable: bool = True


def open_place(url, endpoint=None):
    """Returns the folder or bucket that the user named. `endpoint`: the address of an S3 server
    other than Amazon's; the environment's AWS_ENDPOINT_URL if None."""
    if url.startswith("s3://"):
        bucket, _, prefix = url[len("s3://"):].strip("/").partition("/")
        if not bucket:
            raise FleetError(f"'{shown(url)}' names no bucket; write s3://BUCKET or s3://BUCKET/PREFIX")
        return Bucket(bucket, prefix, endpoint or os.environ.get("AWS_ENDPOINT_URL") or None)
    if "://" in url:
        raise FleetError(f"'{shown(url)}' is neither a folder nor an s3:// address")
    return Folder(os.path.abspath(url))


@dataclasses.dataclass(frozen=True)
class Folder:
    root: str

    def __str__(self):
        return self.root

    def is_same(self, other):
        return isinstance(other, Folder) and os.path.realpath(self.root) == os.path.realpath(other.root)

    def full(self, path):
        return pathlib.Path(self.root, path)

    @property
    def filesystem(self):
        return fs.LocalFileSystem()

    def list(self, prefix, lists_unreadable=False):
        """Yields the files below a folder, in no order. Skips symbolic links and hidden files,
        such as unfinished ones of rsync or of this program. A folder that is unreadable for this
        user, or whose path is too long, raises an OSError, or with `lists_unreadable` is listed
        as a File."""
        folders = [os.path.join(self.root, prefix)]
        while folders:
            folder = folders.pop()
            try:
                entries = os.scandir(folder)
            except FileNotFoundError:
                continue
            except OSError as error:
                if not lists_unreadable or error.errno not in (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG):
                    raise
                yield File(os.path.relpath(folder, self.root), 0, 0, is_readable=False)
                continue
            with entries:
                for entry in entries:
                    if entry.name.startswith(".") or entry.is_symlink():
                        continue
                    if entry.is_dir():
                        folders.append(entry.path)
                    elif entry.is_file():
                        with contextlib.suppress(FileNotFoundError):
                            found = entry.stat()
                            path = os.path.relpath(entry.path, self.root)
                            yield File(path, found.st_size, found.st_mtime)

    def read(self, path):
        """Returns the contents of a file. Raises FileNotFoundError."""
        return self.full(path).read_bytes()

    def read_untrusted(self, path, limit):
        """Returns the first `limit` bytes of a file that a kiosk has written. Raises
        FileNotFoundError, also if the path is no longer a regular file: a kiosk may have
        replaced it by a link or a pipe."""
        try:
            opened = os.open(self.full(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise FileNotFoundError(errno.ENOENT, "a link", path) from None
            raise
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            os.close(opened)
            raise FileNotFoundError(errno.ENOENT, "no file", path)
        with open(opened, "rb") as file:
            return file.read(limit)

    def write(self, path, data):
        with self.output(path) as file:
            file.write(data)

    @contextlib.contextmanager
    def output(self, path):
        """A context manager for a binary file. It appears under its name, and is on the disk,
        once the block has ended without an error."""
        full = self.full(path)
        full.parent.mkdir(parents=True, exist_ok=True)
        unfinished = full.with_name(f".{full.name}.{os.getpid()}")
        try:
            with open(unfinished, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, full)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        folder = os.open(full.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def delete(self, path):
        """Deletes a file, and its folders if they are then empty."""
        full = self.full(path)
        full.unlink(missing_ok=True)
        for folder in full.parents:
            if str(folder) == self.root:
                break
            try:
                folder.rmdir()
            except OSError:
                break

    def leftovers(self, prefix):
        """Lists like `list`, but includes unfinished files."""
        for folder, _, names in os.walk(os.path.join(self.root, prefix)):
            for name in names:
                yield os.path.relpath(os.path.join(folder, name), self.root)

    @contextlib.contextmanager
    def lock(self):
        """A context manager that keeps other roll-ups of the folder out."""
        self.full("out").mkdir(parents=True, exist_ok=True)
        with open(self.full("out/.lock"), "wb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FleetError(
                    f"another roll-up of {shown(self.root)} is running; wait for its end") from None
            yield


@dataclasses.dataclass(frozen=True)
class Bucket:
    bucket: str
    prefix: str
    endpoint: str | None

    def __str__(self):
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")

    @cached_property
    def filesystem(self):
        options = {}
        if self.endpoint:
            scheme, _, host = self.endpoint.rpartition("://")
            options = {"endpoint_override": host.rstrip("/"), "scheme": scheme or "https"}
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        if region or self.endpoint:
            options["region"] = region or "us-east-1"
        return fs.S3FileSystem(connect_timeout=10, request_timeout=60, **options)

    def __getstate__(self):
        # Leave out the connection, which another process cannot use. It opens its own.
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def is_same(self, other):
        return str(self) == str(other)

    def full(self, path):
        return "/".join(part for part in (self.bucket, self.prefix, path.rstrip("/")) if part)

    def list(self, prefix, lists_unreadable=False):
        base = len(self.full("x")) - 1
        selector = fs.FileSelector(self.full(prefix), recursive=True, allow_not_found=True)
        for info in self.filesystem.get_file_info(selector):
            if info.type == fs.FileType.File:
                yield File(info.path[base:], info.size, info.mtime_ns / 1e9 if info.mtime_ns else 0)

    def read(self, path):
        with self.filesystem.open_input_file(self.full(path)) as file:
            return file.read()

    def read_untrusted(self, path, limit):
        with self.filesystem.open_input_file(self.full(path)) as file:
            return file.read(limit)

    def write(self, path, data):
        with self.output(path) as file:
            file.write(data)

    def output(self, path):
        """Returns a binary file for use in `with`. After an error, a partial object may exist.
        That is harmless: results name data files only when they are complete, and a result is
        written with one request."""
        return self.filesystem.open_output_stream(self.full(path), compression=None)

    def delete(self, path):
        with contextlib.suppress(FileNotFoundError):
            self.filesystem.delete_file(self.full(path))

    def leftovers(self, prefix):
        before = time.time() - BUCKET_GRACE
        return (file.path for file in self.list(prefix) if file.modified < before)

    def lock(self):
        return contextlib.nullcontext()
