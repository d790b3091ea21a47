/* SPDX-License-Identifier: MIT */
/*
 * members.h -- the interface of a reader of files that hold several inputs
 *
 * The regular files in an archive are its members, and so are the arrays in a
 * file of arrays.  They are inputs, one after the other: the bytes of a member
 * come from a supply of source.h, and content.h decodes them.  An array may
 * instead be a range of a regular file, which several readers share.
 */

#ifndef GPUHIST_MEMBERS_H
#define GPUHIST_MEMBERS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "hist/npy_header.h"
#include "input/content/content.h"
#include "input/source.h"
#include "sync/budget.h"

struct members_type;

/* The first member of a struct of the type.  One thread at a time uses it. */
struct members {
    struct source_supply supply; /* of the current member */
    const struct members_type *type;
    struct budget *share; /* for all decoders of the archive */
    uint64_t count;       /* of members so far ... */
    uint64_t others;      /* ... of links, directories, devices ... */
    uint64_t unchosen;    /* ... and of arrays that the reading leaves out */
    bool lacks_end_mark;  /* of the archive: see struct decoder */
    const char *seems;    /* of the archive: see struct content */
    bool lacks_end;       /* a tar archive ends after a file */
    uint64_t extra_bytes; /* after the end of an archive, left out */

    /* If members are ranges of a file: it is open until close() ... */
    const struct source *file; /* constant; NULL: the supply has the bytes */
    off_t start;               /* ... and the current member starts here ... */
    off_t end;                 /* ... and ends here */

    /* The current member, if it is an array without a header; CODE is NULL:
       it is not. */
    struct npy_array array;
};

struct members_type {
    const char *whole;    /* in messages: the owner of the members ... */
    const char *noun;     /* ... and what a member is */
    bool may_have_ranges; /* of some files, members are ranges */

    /*
     * Open the archive FILE, a path and a name, decompressed as READING says.
     * Returns it, or NULL with *ERROR set; after cancel_ask() without an error.
     */
    struct members *(*open)(const struct source *file,
                            const struct reading *reading,
                            struct budget *budget, struct error *error);

    /*
     * Go on to the next member.  Returns 1 and sets *NAME, for free(), to its
     * name in messages; or 0: all are read, or cancel_ask() was called; or -1
     * with *ERROR set.
     */
    int (*next)(struct members *members, char **name, struct error *error);

    /* Release everything; all decoders of members are closed. */
    void (*close)(struct members *members);
};

/* The arrays of a safetensors file. */
extern const struct members_type safetensors_members_type;

/* Those of archives.  Only in a build with libarchive. */
extern const struct members_type archive_members_type;

/* Returns the type for all archives; NULL: its library is not built in. */
static inline const struct members_type *
members_type(void)
{
#ifdef HAVE_ARCHIVE
    return &archive_members_type;
#else
    return NULL;
#endif
}

/* Load the library of archives.  Returns its name and version, or why it is
   missing (a static text).  Only in a build with libarchive. */
const char *archive_members_library(void);

/* Print one line for --version: the formats and their library. */
static inline void
members_put(FILE *out)
{
    const char *library = "not built in";

#ifdef HAVE_ARCHIVE
    library = archive_members_library();
#endif
    fprintf(out, "archives: tar, zip, 7z and cpio (%s)\n", library);
}

#endif
