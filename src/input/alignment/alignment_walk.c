/* SPDX-License-Identifier: MIT */
/* alignment_walk.c -- from record to record of BAM or SAM */

#include <string.h>

#include "input/alignment/alignment_walk.h"

/* Records in a row that look like records of BAM, to believe that the first one
   is one; fewer, if no more are there. */
#define RECORDS_ENOUGH 4

void
alignment_walk_open(struct alignment_walk *walk, enum alignment_kind kind,
                    const struct alignment_choice *choice)
{
    *walk = (struct alignment_walk){.is_bam = kind == ALIGNMENT_BAM};
    walk->bam.words = walk->sam.words = choice->words;
    walk->sam.has_numbers = alignment_choice_has_numbers(choice);
}

void
alignment_walk_open_after(struct alignment_walk *after,
                          const struct alignment_walk *walk)
{
    *after = (struct alignment_walk){
        .is_bam = walk->is_bam,
        .bam = {.words = walk->bam.words,
                .place = BAM_FIELDS,
                .reference_count = walk->bam.reference_count,
                .references = walk->bam.references},
        .sam = {.words = walk->sam.words,
                .has_numbers = walk->sam.has_numbers,
                .is_after_header = true,
                .references = walk->sam.references},
    };
}

enum alignment_bytes
alignment_walk_header(struct alignment_walk *walk,
                      struct alignment_input *input)
{
    return walk->is_bam ? bam_walk_header(&walk->bam, input)
                        : sam_lines_header(&walk->sam, input);
}

const struct alignment_references *
alignment_walk_references(const struct alignment_walk *walk)
{
    return walk->is_bam ? &walk->bam.references : &walk->sam.references;
}

enum alignment_bytes
alignment_walk_next(struct alignment_walk *walk, struct alignment_input *input,
                    struct alignment *alignment)
{
    return walk->is_bam ? bam_walk_next(&walk->bam, input, alignment)
                        : sam_lines_next(&walk->sam, input, alignment);
}

uint64_t
alignment_walk_record(const struct alignment_walk *walk,
                      const struct alignment_input *input)
{
    return walk->is_bam ? walk->bam.start : input->offset;
}

uint64_t
alignment_walk_left(const struct alignment_walk *walk)
{
    return walk->is_bam ? walk->bam.left : walk->sam.line_bytes;
}

bool
alignment_walk_is_at_record(struct alignment_walk *walk,
                            struct alignment_input *input)
{
    return walk->is_bam ? bam_walk_is_at_record(&walk->bam, input)
                        : sam_lines_is_at_record(&walk->sam, input);
}

/* Returns the first place of the SIZE bytes at DATA where a record of BAM may
   start; SIZE: there is none. */
static size_t
guess_bam(const struct bam_walk *walk, const unsigned char *data, size_t size)
{
    for (size_t start = 0; start < size; start++) {
        size_t at = start;
        unsigned int records = 0;
        while (records < RECORDS_ENOUGH && at < size) {
            size_t bytes = bam_walk_guess(walk, data + at, size - at);
            if (bytes == 0)
                break;
            at += bytes;
            records++;
        }
        if (records == RECORDS_ENOUGH || (records > 0 && at >= size))
            return start;
    }
    return size;
}

void
alignment_walk_guess(const struct alignment_walk *walk,
                     const unsigned char *data, size_t *size, size_t *start)
{
    if (walk->is_bam) {
        *start = guess_bam(&walk->bam, data, *size);
        return;
    }
    while (*size > 0 && data[*size - 1] != '\n')
        --*size;
    const unsigned char *end = *size > 0 ? memchr(data, '\n', *size) : NULL;
    *start = end != NULL ? (size_t)(end - data) + 1 : *size;
}

void
alignment_walk_close(struct alignment_walk *walk)
{
    bam_walk_close(&walk->bam);
    sam_lines_close(&walk->sam);
}
