#!/usr/bin/python3
"""Tries forbidden operations from inside a unit's sandbox, and prints as JSON which of them
succeeded.

probe.py ALLOWED-FOLDER...    folders that may be written to, with everything below

written: other folders, files and FIFOs that can be written to. connected: sockets that take a
connection or a message, abstract ones with an @. devices: nodes that can be opened for writing.
done: the calls below that were not refused. strangers: visible processes of other users. status:
from /proc.
"""

import ctypes
import json
import mmap
import os
import socket
import stat
import subprocess
import sys
import tempfile

libc = ctypes.CDLL(None, use_errno=True)
# System calls: for each name, the numbers on x86-64 and on 64-bit ARM, and the arguments. They are
# called by number, because some C libraries have no functions for them. Not every machine has all.
CALLS = {
    "acct": ((163, 89), 0), "add_key": ((248, 217), b"user", b"name", b"x", 1, -4),
    "adjtimex": ((159, 171), 0), "bpf": ((321, 280), 0, 0, 0), "chown": ((92, None), b"/tmp", 0, 0),
    "chroot": ((161, 51), b"/"), "clock_settime": ((227, 112), 0, (ctypes.c_long * 2)(0, 0)),
    "delete_module": ((176, 106), b"uinput", 0), "finit_module": ((313, 273), -1, b"", 0),
    "init_module": ((175, 105), 0, 0, b""), "io_uring_setup": ((425, 425), 1, 0),
    "ioperm": ((173, None), 0, 1, 1), "iopl": ((172, None), 3), "kexec_load": ((246, 104), 0, 0, 0, 0),
    "keyctl": ((250, 219), 0, -4, 1), "lookup_dcookie": ((212, 18), 0, 0, 0),
    "memfd_create": ((319, 279), b"x", 0),
    "mknod": ((133, None), b"/tmp/node", stat.S_IFBLK | 0o600, 0x0800), "mlockall": ((151, 230), 1),
    "mount": ((165, 40), b"none", b"/tmp", b"tmpfs", 0, 0), "move_mount": ((429, 429), -1, b"", -1, b"", 0),
    "name_to_handle_at": ((303, 264), -100, b"/", 0, 0, 0), "nfsservctl": ((180, 42), 0, 0, 0),
    "open_by_handle_at": ((304, 265), -1, 0, 0), "open_tree": ((428, 428), -100, b"/", 0),
    "perf_event_open": ((298, 241), 0, 0, -1, -1, 0), "personality": ((135, 92), 0x0400000),
    "pivot_root": ((155, 41), b"/", b"/"), "process_vm_readv": ((310, 270), os.getppid(), 0, 0, 0, 0, 0),
    "ptrace": ((101, 117), 0, 0, 0, 0), "quotactl": ((179, 60), 0, 0, 0, 0),
    "reboot": ((169, 142), 0, 0, 0, 0), "request_key": ((249, 218), b"user", b"name", 0, 0),
    "sched_setscheduler": ((144, 119), 0, 1, (ctypes.c_int * 1)(1)), "sethostname": ((170, 161), b"x", 1),
    "setns": ((308, 268), -1, 0), "setpriority": ((141, 140), 0, 0, -5), "setuid": ((105, 146), 0),
    "settimeofday": ((164, 170), (ctypes.c_long * 2)(0, 0), 0), "shmget": ((29, 194), 0, 4096, 0o1600),
    "swapon": ((167, 224), b"/tmp/x", 0), "syslog": ((103, 116), 3, 0, 0),
    "umount": ((166, 39), b"/tmp", 0), "unshare mounts": ((272, 97), 0x00020000),
    "unshare users": ((272, 97), 0x10000000), "userfaultfd": ((323, 282), 0), "vhangup": ((153, 58),),
    "chmod suid": ((90, None), b"/tmp", 0o4777), "fchmodat suid": ((268, 53), -100, b"/tmp", 0o4777),
    "fchownat": ((260, 54), -100, b"/tmp", 0, 0, 0),
    "mknodat": ((259, 33), -100, b"/tmp/node", stat.S_IFBLK | 0o600, 0x0800),
}
# Devices that every program may write to without effect.
HARMLESS = {"/dev/" + name for name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx")}


def goes(attempt, *arguments, **named):
    try:
        attempt(*arguments, **named)
        return True
    except OSError:
        return False


def done():
    """Tries each call. EPERM, EACCES and ENOSYS are refusals; any other error means that the
    sandbox let the call through."""
    for name, (numbers, *arguments) in CALLS.items():
        number = numbers[os.uname().machine == "aarch64"]
        if number is None:
            continue
        ctypes.set_errno(0)
        words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
        if libc.syscall(ctypes.c_long(number), *words) >= 0 or ctypes.get_errno() not in (1, 13, 38):
            yield f"{name}: {os.strerror(ctypes.get_errno())}"
    for family in ("AF_INET", "AF_INET6", "AF_PACKET", "AF_VSOCK", "AF_BLUETOOTH", "AF_ALG"):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                socket.socket(getattr(socket, family), kind).close()
                yield f"{family} {kind!r}"
            except PermissionError:
                pass
            except OSError as error:
                # The kernel also refuses families that it does not know; the sandbox's filter
                # answers EAFNOSUPPORT (97).
                if error.errno != 97:
                    yield f"{family} {kind!r}: {error}"
    if goes(mmap.mmap, -1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC):
        yield "memory to write and execute"
    for pid in (1, os.getppid()):
        for name in ("mem", "environ", "maps"):
            if pid != os.getpid() and goes(open, f"/proc/{pid}/{name}", "rb"):
                yield f"/proc/{pid}/{name}"


def can_create(folder):
    try:
        handle, path = tempfile.mkstemp(dir=folder)
    except OSError:
        return False
    os.close(handle)
    os.unlink(path)
    return True


def written(allowed):
    for folder in allowed:
        if not can_create(folder):
            yield f"not {folder}"
    # find's -writable asks the kernel, which knows about read-only mounts.
    words = ["find", "/", "-path", "/proc"]
    for folder in allowed:
        words += ["-o", "-path", folder]
    words[2:] = ["(", *words[2:], ")", "-prune", "-o", "(", "-type", "f", "-o", "-type", "d", "-o", "-type", "p",
                 ")", "-writable", "-print0"]
    found = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    # systemd 254 and later give every unit this file, for notifications of memory pressure.
    yield from (path for path in found.decode(errors="replace").split("\0")[:-1]
                if path != "/sys/fs/cgroup/system.slice/probe.service/memory.pressure"
                # find takes a mounted socket for the file that it is mounted on.
                and not stat.S_ISSOCK(os.lstat(path).st_mode))
    for path in ("sys/kernel/hostname", "sysrq-trigger", "1/oom_score_adj", "irq/0/smp_affinity"):
        if goes(open, f"/proc/{path}", "r+b", buffering=0):
            yield f"/proc/{path}"


def connected():
    found = subprocess.run(["find", "/", "-path", "/proc", "-prune", "-o", "(", "-type", "s", "-o", "-path", "/run/*",
                            "-not", "-path", "/run/udev/*", ")", "-print0"],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    names = found.decode(errors="replace").split("\0")[:-1]
    with open("/proc/self/net/unix", encoding="utf-8", errors="replace") as sockets:
        # Add the sockets with an abstract name (`@…`). `find` has found those with a path, and
        # sockets without any name cannot be tried.
        names += {line.split()[7] for line in sockets if "@" in line}
    for name in names:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            with socket.socket(socket.AF_UNIX, kind) as one:
                one.setblocking(False)
                if goes(one.connect, name.replace("@", "\0", 1) if name.startswith("@") else name):
                    yield name
                    break


def devices():
    for folder, _, files in os.walk("/dev"):
        for name in files:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and path not in HARMLESS:
                try:
                    os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY))
                    yield path
                except OSError:
                    pass


def strangers():
    for name in os.listdir("/proc"):
        if name.isdigit() and os.stat(f"/proc/{name}").st_uid != os.getuid():
            yield int(name)


def status():
    with open("/proc/self/status", encoding="ascii") as file:
        words = dict(line.split(":", 1) for line in file)
    return {name: words[name].strip() for name in
            ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")}


print(json.dumps({"written": sorted(written(sys.argv[1:])), "connected": sorted(connected()), "devices": sorted(devices()),
                  "done": sorted(done()), "strangers": sorted(strangers()), "status": status()}, indent=1))
