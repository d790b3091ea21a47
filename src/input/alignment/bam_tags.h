/* SPDX-License-Identifier: MIT */
/*
 * bam_tags.h -- the tags of a record of BAM
 *
 * "Sequence Alignment/Map Format Specification", section 4.2.4.
 */

#ifndef GPUHIST_BAM_TAGS_H
#define GPUHIST_BAM_TAGS_H

#include <stddef.h>
#include <stdint.h>

struct bam_tag {
    unsigned char type;         /* 'Z', 'B' ... */
    const unsigned char *value; /* after the type ... */
    size_t size;                /* ... with the NUL of a text */
};

/*
 * Find the first tag NAME, two bytes, in the SIZE bytes at DATA.  Returns 1
 * with *TAG set; 0: there is none; or -1: a tag before it, or itself, is
 * damaged.
 */
int bam_tags_find(const unsigned char *data, size_t size, const char *name,
                  struct bam_tag *tag);

/* Returns the whole number that TAG is; 0: it is none. */
int64_t bam_tags_number(const struct bam_tag *tag);

#endif
