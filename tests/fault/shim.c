/* SPDX-License-Identifier: MIT */
/*
 * shim.c -- a library to preload that makes calls fail
 *
 * What the program and its libraries call is counted from the moment before
 * main() on, and fails as struct fault says.  stdio makes its system calls
 * inside of the C library, where nothing can come between: so standard output
 * and the files that are opened as streams become streams of our own.
 */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "shared_fault.h"

/* Calls before main() are only counted. */
static struct fault nobody;
static struct fault *fault = &nobody;

/* How much a call does that is cut short: little once, or a little each time. */
enum {
    SHORT_ONCE = 1,
    SHORT_EACH = 97
};

/*
 * A function of the library behind this one.  FUNCTION is a pointer to one;
 * no cast turns what dlsym() returns into it.
 */
static void
find(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (found == NULL)
        abort();
    memcpy(function, &found, sizeof found);
}

/* Whether this CALL is one that fails; it is counted. */
static bool
fails(enum fault_call call)
{
    unsigned long n = atomic_fetch_add(&fault->count[call], 1) + 1;

    if (call != fault->call ||
        !(n == fault->nth || (fault->persists && n > fault->nth)))
        return false;
    atomic_fetch_add(&fault->fired, 1);
    if (fault->reason != 0)
        errno = fault->reason;
    return true;
}

/*
 * As fails(), for a CALL that may do only a part of *SIZE bytes: if that is
 * what is wanted, *SIZE is made less.
 */
static bool
fails_or_shrinks(enum fault_call call, size_t *size)
{
    if (!fails(call))
        return false;
    if (fault->reason != 0)
        return true;
    size_t most = fault->persists ? SHORT_EACH : SHORT_ONCE;
    if (*size > most)
        *size = most;
    return false;
}

/* ---- memory ---- */

/*
 * As fails(), for a function that gives memory to CALLER.  Some cannot do
 * without: the driver of the tests (tests/fake), and the loader, which ends
 * the process where a new thread's variables of such a library have no room.
 */
static bool
lacks_memory(const void *caller)
{
    Dl_info where;

    if (fault->call == FAULT_MEMORY && dladdr(caller, &where) != 0 &&
        (strstr(where.dli_fname, "/libcuda.so") != NULL ||
         strstr(where.dli_fname, "/ld-") != NULL))
        return false;
    return fails(FAULT_MEMORY);
}

void *
malloc(size_t size)
{
    static void *(*next)(size_t);

    if (next == NULL)
        find(&next, "malloc");
    return lacks_memory(__builtin_return_address(0)) ? NULL : next(size);
}

void *
calloc(size_t count, size_t size)
{
    static void *(*next)(size_t, size_t);

    if (next == NULL)
        find(&next, "calloc");
    return lacks_memory(__builtin_return_address(0)) ? NULL : next(count, size);
}

void *
realloc(void *memory, size_t size)
{
    static void *(*next)(void *, size_t);

    if (next == NULL)
        find(&next, "realloc");
    return lacks_memory(__builtin_return_address(0)) ? NULL
                                                     : next(memory, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
    static void *(*next)(size_t, size_t);

    if (next == NULL)
        find(&next, "aligned_alloc");
    return lacks_memory(__builtin_return_address(0)) ? NULL
                                                     : next(alignment, size);
}

int
posix_memalign(void **memory, size_t alignment, size_t size)
{
    static int (*next)(void **, size_t, size_t);

    if (next == NULL)
        find(&next, "posix_memalign");
    return lacks_memory(__builtin_return_address(0))
               ? fault->reason
               : next(memory, alignment, size);
}

void *
mmap(void *address, size_t size, int protection, int flags, int fd,
     off_t offset)
{
    static void *(*next)(void *, size_t, int, int, int, off_t);

    if (next == NULL)
        find(&next, "mmap");
    return fails(FAULT_MMAP)
               ? MAP_FAILED
               : next(address, size, protection, flags, fd, offset);
}

int
madvise(void *address, size_t size, int advice)
{
    static int (*next)(void *, size_t, int);

    if (next == NULL)
        find(&next, "madvise");
    return fails(FAULT_ADVICE) ? -1 : next(address, size, advice);
}

/* ---- threads ---- */

int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
               void *(*function)(void *), void *argument)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                       void *);

    if (next == NULL)
        find(&next, "pthread_create");
    return fails(FAULT_THREAD) ? fault->reason
                               : next(thread, attributes, function, argument);
}

/* ---- descriptors ---- */

int
open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    va_list args;

    if (next == NULL)
        find(&next, "open");
    if (fails(FAULT_OPEN))
        return -1;
    va_start(args, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    return next(path, flags, mode);
}

int
openat(int directory, const char *path, int flags, ...)
{
    static int (*next)(int, const char *, int, ...);
    va_list args;

    if (next == NULL)
        find(&next, "openat");
    if (fails(FAULT_OPEN))
        return -1;
    va_start(args, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    return next(directory, path, flags, mode);
}

/* What open() without a mode becomes in a fortified program. */
int __open_2(const char *path, int flags);
int
__open_2(const char *path, int flags)
{
    return open(path, flags);
}

int __openat_2(int directory, const char *path, int flags);
int
__openat_2(int directory, const char *path, int flags)
{
    return openat(directory, path, flags);
}

ssize_t
read(int fd, void *buffer, size_t size)
{
    static ssize_t (*next)(int, void *, size_t);

    if (next == NULL)
        find(&next, "read");
    return fails_or_shrinks(FAULT_READ, &size) ? -1 : next(fd, buffer, size);
}

/* What read() becomes in a fortified program; the matrix tests no overflow. */
ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room);
ssize_t
__read_chk(int fd, void *buffer, size_t size, size_t room)
{
    return size > room ? (abort(), -1) : read(fd, buffer, size);
}

ssize_t
pread(int fd, void *buffer, size_t size, off_t offset)
{
    static ssize_t (*next)(int, void *, size_t, off_t);

    if (next == NULL)
        find(&next, "pread");
    return fails_or_shrinks(FAULT_PREAD, &size)
               ? -1
               : next(fd, buffer, size, offset);
}

ssize_t
write(int fd, const void *buffer, size_t size)
{
    static ssize_t (*next)(int, const void *, size_t);

    if (next == NULL)
        find(&next, "write");
    /* The matrix reads the messages. */
    if (fd == STDERR_FILENO)
        return next(fd, buffer, size);
    return fails_or_shrinks(FAULT_WRITE, &size) ? -1 : next(fd, buffer, size);
}

ssize_t
pwrite(int fd, const void *buffer, size_t size, off_t offset)
{
    static ssize_t (*next)(int, const void *, size_t, off_t);

    if (next == NULL)
        find(&next, "pwrite");
    return fails_or_shrinks(FAULT_SCRATCH, &size)
               ? -1
               : next(fd, buffer, size, offset);
}

/* It gives all or nothing, and is not interrupted. */
int
posix_fallocate(int fd, off_t offset, off_t size)
{
    static int (*next)(int, off_t, off_t);

    if (next == NULL)
        find(&next, "posix_fallocate");
    bool has_failed =
        fails(FAULT_SCRATCH) && fault->reason != 0 && fault->reason != EINTR;
    return has_failed ? fault->reason : next(fd, offset, size);
}

/* As on Linux: close() always closes the descriptor, even if it fails. */
int
close(int fd)
{
    static int (*next)(int);

    if (next == NULL)
        find(&next, "close");
    if (!fails(FAULT_CLOSE))
        return next(fd);
    int reason = errno;
    (void)next(fd);
    errno = reason;
    return -1;
}

int
fstat(int fd, struct stat *status)
{
    static int (*next)(int, struct stat *);

    if (next == NULL)
        find(&next, "fstat");
    return fails(FAULT_STAT) ? -1 : next(fd, status);
}

int
stat(const char *path, struct stat *status)
{
    static int (*next)(const char *, struct stat *);

    if (next == NULL)
        find(&next, "stat");
    return fails(FAULT_STAT) ? -1 : next(path, status);
}

int
lstat(const char *path, struct stat *status)
{
    static int (*next)(const char *, struct stat *);

    if (next == NULL)
        find(&next, "lstat");
    return fails(FAULT_STAT) ? -1 : next(path, status);
}

off_t
lseek(int fd, off_t offset, int whence)
{
    static off_t (*next)(int, off_t, int);

    if (next == NULL)
        find(&next, "lseek");
    return fails(FAULT_SEEK) ? -1 : next(fd, offset, whence);
}

/* Its argument, if there is one, is an int or no larger than a pointer. */
int
fcntl(int fd, int command, ...)
{
    static int (*next)(int, int, ...);
    va_list args;

    if (next == NULL)
        find(&next, "fcntl");
    if (fails(FAULT_CONTROL))
        return -1;
    va_start(args, command);
    void *argument = va_arg(args, void *);
    va_end(args);
    return next(fd, command, argument);
}

int
posix_fadvise(int fd, off_t offset, off_t size, int advice)
{
    static int (*next)(int, off_t, off_t, int);

    if (next == NULL)
        find(&next, "posix_fadvise");
    return fails(FAULT_ADVICE) ? fault->reason : next(fd, offset, size, advice);
}

int
fsync(int fd)
{
    static int (*next)(int);

    if (next == NULL)
        find(&next, "fsync");
    return fails(FAULT_SYNC) ? -1 : next(fd);
}

int
rename(const char *from, const char *to)
{
    static int (*next)(const char *, const char *);

    if (next == NULL)
        find(&next, "rename");
    return fails(FAULT_RENAME) ? -1 : next(from, to);
}

ssize_t
getrandom(void *buffer, size_t size, unsigned int flags)
{
    static ssize_t (*next)(void *, size_t, unsigned int);

    if (next == NULL)
        find(&next, "getrandom");
    return fails(FAULT_RANDOM) ? -1 : next(buffer, size, flags);
}

char *
realpath(const char *path, char *resolved)
{
    static char *(*next)(const char *, char *);

    if (next == NULL)
        find(&next, "realpath");
    return fails(FAULT_PATH) ? NULL : next(path, resolved);
}

/* ---- streams ---- */

/* The streams that are open; the program has few, and one thread opens them. */
static struct stream {
    FILE *file;
    int fd;
} streams[8];

static struct stream *
stream_of(const FILE *file)
{
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        if (streams[i].file == file)
            return &streams[i];
    }
    return NULL;
}

static ssize_t
stream_read(void *cookie, char *buffer, size_t size)
{
    const struct stream *stream = cookie;

    return read(stream->fd, buffer, size);
}

/* All of it, as the C library's own streams do; 0 after a failure. */
static ssize_t
stream_write(void *cookie, const char *buffer, size_t size)
{
    const struct stream *stream = cookie;

    for (size_t done = 0; done < size;) {
        ssize_t got = write(stream->fd, buffer + done, size - done);
        if (got < 0)
            return 0;
        done += (size_t)got;
    }
    return (ssize_t)size;
}

static int
stream_close(void *cookie)
{
    struct stream *stream = cookie;

    stream->file = NULL;
    return close(stream->fd);
}

FILE *
fdopen(int fd, const char *mode)
{
    static const cookie_io_functions_t calls = {
        .read = stream_read, .write = stream_write, .close = stream_close};
    struct stream *stream = stream_of(NULL);

    if (stream == NULL)
        abort();
    stream->fd = fd;
    stream->file = fopencookie(stream, mode, calls);
    return stream->file;
}

FILE *
fopen(const char *path, const char *mode)
{
    int flags = *mode == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    int fd = open(path, flags | O_CLOEXEC, 0666);
    if (fd < 0)
        return NULL;

    FILE *file = fdopen(fd, mode);
    if (file == NULL) {
        int reason = errno;
        (void)close(fd);
        errno = reason;
    }
    return file;
}

int
fileno(FILE *file)
{
    static int (*next)(FILE *);
    const struct stream *stream = stream_of(file);

    if (next == NULL)
        find(&next, "fileno");
    return stream != NULL ? stream->fd : next(file);
}

/* ---- the start ---- */

static void __attribute__((constructor)) start(void)
{
    const char *path = getenv(FAULT_VARIABLE);
    int fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;

    if (fd < 0)
        return;
    void *memory =
        mmap(NULL, sizeof *fault, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)close(fd);
    if (memory == MAP_FAILED)
        abort();
    stdout = fdopen(STDOUT_FILENO, "w");
    if (stdout == NULL)
        abort();
    fault = memory;
}
