/* SPDX-License-Identifier: MIT */
/*
 * cpio_links.h -- files that have several names in a cpio archive
 *
 * Device and inode number tell which names are of one file.  Memory for the
 * files is reserved in a share of the budget.
 */

#ifndef GPUHIST_CPIO_LINKS_H
#define GPUHIST_CPIO_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync/budget.h"

struct cpio_link {
    uint64_t dev;
    uint64_t ino;
    uint64_t names;         /* so far */
    struct cpio_link *next; /* in the order of the archive */
    char *path; /* the first name, until the data are found; owned */

    /* If PATH is NULL, the data were found: */
    uint64_t size;
    uint64_t hash;
};

struct cpio_links {
    void *tree; /* of tsearch() */
    struct cpio_link *first;
    struct cpio_link *last;
    uint64_t reserved; /* of the share */
};

/* Returns the file with DEV and INO; a new file has no names yet.  Returns
   NULL: SHARE has no memory left. */
struct cpio_link *cpio_links_find(struct cpio_links *links,
                                  struct budget *share, uint64_t dev,
                                  uint64_t ino);

/* The data of LINK are not found yet: keep the name PATH.  Returns whether
   there is memory. */
bool cpio_links_keep(struct cpio_links *links, struct budget *share,
                     struct cpio_link *link, const char *path);

/* The data of LINK are found. */
void cpio_links_found(struct cpio_link *link);

/* Forget the first files, up to one whose data were never found.  Returns its
   name, for free(), or NULL: all were found. */
char *cpio_links_take(struct cpio_links *links);

/* Forget all files. */
void cpio_links_clear(struct cpio_links *links, struct budget *share);

#endif
