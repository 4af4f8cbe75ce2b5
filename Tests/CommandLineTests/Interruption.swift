import TestSupport
import Testing

/// Raises a signal in the middle of writing a file.
enum Interruption {
  /// The source of a library for LD_PRELOAD, which environment variables control. A write of
  /// `LEAST` (default 4,000) bytes or more to a regular file writes half of them and then raises
  /// the signal `END`. If the signal is ignored, the process exits 2 s later with status 99. If
  /// `FILE` is set, only files with this text in their path are affected. If `NAMED` is set,
  /// opening a file with O_TMPFILE (a file without a name) fails, as on file systems that do not
  /// support it.
  private static let source = #"""
    #define _GNU_SOURCE
    #include <errno.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    static int is_meant(int file, size_t count) {
      struct stat status;
      char self[32], path[4096] = "";
      if (!getenv("END") || count < atoi(getenv("LEAST") ?: "4000")) return 0;
      if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
      snprintf(self, sizeof self, "/proc/self/fd/%d", file);
      if (readlink(self, path, sizeof path - 1) < 0) return 0;
      return !getenv("FILE") || strstr(path, getenv("FILE"));
    }

    ssize_t write(int file, const void *bytes, size_t count) {
      if (is_meant(file, count)) {
        syscall(SYS_write, file, bytes, count / 2);
        kill(getpid(), atoi(getenv("END")));
        sleep(2);
        _exit(99);
      }
      return syscall(SYS_write, file, bytes, count);
    }

    static int opened(const char *path, int flags, int mode) {
      if ((flags & O_TMPFILE) == O_TMPFILE && getenv("NAMED")) {
        errno = EOPNOTSUPP;
        return -1;
      }
      return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    }
    int open(const char *path, int flags, ...) {
      va_list list;
      va_start(list, flags);
      return opened(path, flags, va_arg(list, int));
    }
    int open64(const char *path, int flags, ...) {
      va_list list;
      va_start(list, flags);
      return opened(path, flags, va_arg(list, int));
    }
    """#

  /// The library, which is built once.
  private static let bytes = Result { try SharedLibrary.built(from: source) }

  /// Writes the library to a folder and returns its path.
  static func library(in folder: TemporaryFolder) throws -> String {
    try folder.write(bytes.get(), to: "end.so")
  }
}

/// A library for LD_PRELOAD.
enum SharedLibrary {
  static func built(from source: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = try folder.write(source, to: "library.c")
    let built = try Program.run(
      ["-shared", "-fPIC", "-o", folder.path("library.so"), path], program: "cc", in: folder)
    try #require(built.status == 0, "\(built.error)")
    return try TemporaryFolder.contents(folder.path("library.so"))
  }
}
