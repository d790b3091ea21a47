/* SPDX-License-Identifier: MIT */
/*
 * shared_fault.h -- which call of a program is to fail: what tests/fault/matrix.c
 * tells the library that is loaded before all others, tests/fault/shim.c
 *
 * They share a struct fault through a file, which both map.
 */

#ifndef GPUHIST_SHARED_FAULT_H
#define GPUHIST_SHARED_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Where the library finds the path of that file. */
#define FAULT_VARIABLE "GPUHIST_FAULT"

/* What is counted together, and fails alike. */
enum fault_call {
    FAULT_NONE,   /* nothing fails; only counted */
    FAULT_MEMORY, /* malloc() and its kin, and the C library's own use of it */
    FAULT_MMAP,
    FAULT_THREAD,
    FAULT_OPEN,
    FAULT_READ, /* stdio's, too */
    FAULT_PREAD,
    FAULT_WRITE,   /* stdio's, too, but not to standard error */
    FAULT_SCRATCH, /* pwrite(), posix_fallocate(): of temporary files */
    FAULT_CLOSE,   /* stdio's, too */
    FAULT_STAT,
    FAULT_SEEK,
    FAULT_CONTROL, /* fcntl() */
    FAULT_ADVICE,  /* madvise(), posix_fadvise() */
    FAULT_SYNC,
    FAULT_RENAME,
    FAULT_RANDOM,
    FAULT_PATH, /* realpath() */
    FAULT_CALLS
};

struct fault {
    /* By the matrix. */
    enum fault_call call;
    unsigned long nth; /* the first that fails, from 1 on */
    bool persists;     /* and so do all later ones */
    int reason;        /* errno; 0: the call does a byte, or a few, alone */

    /* By the library. */
    atomic_ulong count[FAULT_CALLS];
    atomic_ulong fired;
};

#endif
