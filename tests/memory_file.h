/* SPDX-License-Identifier: MIT */
/* memory_file.h -- a file in memory, for tests that write many of them */

#ifndef GPUHIST_MEMORY_FILE_H
#define GPUHIST_MEMORY_FILE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    int fd; /* if it has a path */
    char path[40];
} memory_file;

/* Let the file have the SIZE bytes at DATA, and nothing else. */
static inline void
memory_file_write(const void *data, size_t size)
{
    if (memory_file.path[0] == 0)
        memory_file.fd = memfd_create("memory_file", 0);
    if (memory_file.fd < 0)
        abort();
    snprintf(memory_file.path, sizeof memory_file.path, "/proc/self/fd/%d",
             memory_file.fd);
    if (ftruncate(memory_file.fd, 0) < 0 ||
        pwrite(memory_file.fd, data, size, 0) != (ssize_t)size)
        abort();
}

#endif
