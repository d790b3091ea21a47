/* SPDX-License-Identifier: MIT */
/*
 * confinement.h -- the process gives up what it does not need
 *
 * A bug in a decoder may let foreign bytes run code of their own.  A confined
 * process creates, changes and removes files only where that was allowed
 * before.  It cannot execute a program, open a socket, type on a terminal or
 * signal another process; nor can the processes that it starts.  It can read
 * all files and use what is open.
 *
 * The kernel checks this, by Landlock and seccomp.  An old kernel checks less.
 */

#ifndef GPUHIST_CONFINEMENT_H
#define GPUHIST_CONFINEMENT_H

#include "base/error.h"

struct confinement {
    int rules;        /* a descriptor; -1: the kernel has no Landlock */
    int missing;      /* why: errno */
    unsigned long fs; /* rights that the kernel knows */
};

/* Begin with no file that may be written; confinement_enter() ends this. */
void confinement_begin(struct confinement *confinement);

/* Allow all files in DIRECTORY, which may be missing, and below it. */
void confinement_allow_directory(const struct confinement *confinement,
                                 const char *directory);

/*
 * Allow what output.h does to write a file to PATH: what is in the directory of
 * a regular or new file, or the device or FIFO at PATH.
 */
void confinement_allow_output(const struct confinement *confinement,
                              const char *path);

/*
 * Confine the process, before it starts threads.  Returns 0, or -1 with *ERROR
 * set: the kernel lacks some of this, and the rest is in force.
 */
int confinement_enter(struct confinement *confinement, struct error *error);

#endif
