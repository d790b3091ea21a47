/* program_cache.c -- programs that a platform has compiled, for later runs */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/gpu/program_cache.h"
#include "util/output.h"

#define MAGIC UINT64_C(0x314c437473696867) /* "ghistCL1" */
#define PROGRAM_BYTES_MAX ((uint64_t)1 << 30)

/* What a file begins with; the program follows. */
struct header {
    uint64_t magic;
    uint64_t size; /* of the program */
    uint64_t hash; /* of the key and the program */
};

uint64_t
program_cache_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static struct header
make_header(uint64_t key, const unsigned char *program, size_t size)
{
    uint64_t hash = program_cache_hash(PROGRAM_CACHE_HASH, &key, sizeof key);

    return (struct header){
        .magic = MAGIC,
        .size = size,
        .hash = program_cache_hash(hash, program, size),
    };
}

/*
 * Write the directory's name to PATH, of SIZE bytes.  Returns its length, or
 * 0: there is none.  The standard has relative ones ignored.
 */
static size_t
directory(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = 0;

    if (cache != NULL && *cache == '/')
        length = snprintf(path, size, "%s/gpuhist", cache);
    else if (home != NULL && *home == '/')
        length = snprintf(path, size, "%s/.cache/gpuhist", home);
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

/* Make the directory PATH, and its parents; it is the user's alone. */
static int
make_directory(char *path)
{
    for (char *end = strchr(path + 1, '/'); end != NULL;
         end = strchr(end + 1, '/')) {
        *end = '\0';
        int result = mkdir(path, 0700);
        *end = '/';
        if (result < 0 && errno != EEXIST)
            return -1;
    }
    return mkdir(path, 0700) < 0 && errno != EEXIST ? -1 : 0;
}

/* Append the name of the file for KEY to the directory's, of LENGTH. */
static int
append_name(char *path, size_t size, size_t length, uint64_t key)
{
    int more =
        snprintf(path + length, size - length, "/%016" PRIx64 ".opencl", key);

    return (size_t)more < size - length ? 0 : -1;
}

/* Read all SIZE bytes. */
static int
read_all(int fd, void *data, size_t size)
{
    for (unsigned char *at = data; size > 0;) {
        ssize_t got = read(fd, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        at += got;
        size -= (size_t)got;
    }
    return 0;
}

/* A program is code: only the user may have written the file. */
static bool
is_own(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Read the program for KEY from FD; *PROGRAM is NULL where there is none. */
static void
load(int fd, uint64_t key, unsigned char **program, size_t *size)
{
    struct header header;

    if (!is_own(fd) || read_all(fd, &header, sizeof header) < 0 ||
        header.magic != MAGIC || header.size == 0 ||
        header.size > PROGRAM_BYTES_MAX)
        return;
    *size = (size_t)header.size;
    *program = malloc(*size);
    if (*program == NULL)
        return;
    if (read_all(fd, *program, *size) < 0 ||
        make_header(key, *program, *size).hash != header.hash) {
        free(*program);
        *program = NULL;
    }
}

int
program_cache_load(uint64_t key, unsigned char **program, size_t *size)
{
    char path[PATH_MAX];
    size_t length = directory(path, sizeof path);

    *program = NULL;
    if (length == 0 || append_name(path, sizeof path, length, key) < 0)
        return -1;
    /* Whatever lies there, opening it must not wait. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return -1;
    load(fd, key, program, size);
    close(fd);
    return *program != NULL ? 0 : -1;
}

void
program_cache_store(uint64_t key, const unsigned char *program, size_t size)
{
    char path[PATH_MAX];
    char temporary[PATH_MAX + sizeof ".XXXXXX"];
    struct header header = make_header(key, program, size);
    size_t length = directory(path, sizeof path);

    if (length == 0 || make_directory(path) < 0 ||
        append_name(path, sizeof path, length, key) < 0)
        return;
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    /* Another run may be reading the file, or writing the same one. */
    int fd = mkstemp(temporary);
    if (fd < 0)
        return;
    bool is_written = output_write(fd, &header, sizeof header) == 0 &&
                      output_write(fd, program, size) == 0;
    if (close(fd) < 0 || !is_written || rename(temporary, path) < 0)
        unlink(temporary);
}
