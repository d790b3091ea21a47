/* record_begin.c -- where the first record begins at or after a byte */

#include <stdlib.h>

#include "input/framing/record_begin.h"
#include "kernels/seq/sequence.h"
#include "text/csv_cut.h"

/* Bytes of one look. */
#define LOOK_BYTES ((size_t)256 << 10)

/* A guess is checked with this many bytes after it, unless the file ends. */
#define GUESS_BYTES (LOOK_BYTES / 4)

/* A search in a file. */
struct record_search {
    struct source *source;
    const struct framing *framing;
    unsigned char *data; /* LOOK_BYTES at most */
};

/* Read the SIZE bytes at OFFSET.  Returns 0, or -1 as record_begin_find(). */
static int
look(const struct record_search *search, off_t offset, size_t size)
{
    struct source *source = search->source;

    if (cancel_is_asked(source->cancel))
        return -1;
    return source_read_again(source, search->data, size, offset,
                             &source->error);
}

/* Returns how many bytes to look at from OFFSET on, before END. */
static size_t
step(off_t offset, off_t end)
{
    return end - offset < (off_t)LOOK_BYTES ? (size_t)(end - offset)
                                            : LOOK_BYTES;
}

/* The end of a record can be recognised anywhere.  The byte before OFFSET may
   be an end. */
static off_t
find_local(const struct record_search *search, off_t offset)
{
    off_t at = offset - 1;
    size_t size;

    for (; at < search->source->size; at += (off_t)size) {
        size = step(at, search->source->size);
        if (look(search, at, size) < 0)
            return -1;
        size_t end = framing_first(search->framing, search->data, size);
        if (end > 0)
            return at + (off_t)end;
    }
    return search->source->size;
}

static off_t
find_csv(const struct record_search *search, off_t start, off_t offset)
{
    const struct text_format *format = &search->framing->text;
    enum csv_state state = CSV_RECORD;
    off_t end = search->source->size;
    size_t size;

    for (off_t at = start; at < offset; at += (off_t)size) {
        size = step(at, offset);
        if (look(search, at, size) < 0)
            return -1;
        csv_cut_pass(format, &state, search->data, size);
    }
    for (off_t at = offset; at < end; at += (off_t)size) {
        size = step(at, end);
        if (look(search, at, size) < 0)
            return -1;
        for (size_t i = 0; i < size; i++) {
            if (state == CSV_RECORD)
                return at + (off_t)i;
            state = csv_state_next(format, state, search->data[i]);
        }
    }
    return end;
}

/* Whether records of sequences begin at DATA, as far as SIZE bytes tell. */
static bool
are_sequences(const struct framing *framing, const unsigned char *data,
              size_t size)
{
    struct framing_state state = {0};

    (void)framing_find_ends(framing, &state, data, size, false);
    return !state.is_broken;
}

/* Search the SIZE bytes of data after the first one.  Returns where a record
   that begins with FIRST begins, not after LAST; or 0: nowhere. */
static size_t
guess(const struct record_search *search, size_t size, size_t last,
      unsigned char first)
{
    const unsigned char *data = search->data;
    bool is_line = data[0] == '\n';
    size_t at = 1;

    for (;;) {
        at +=
            framing_guess_first(search->framing, data + at, size - at, is_line);
        if (at >= size || at > last)
            return 0;
        /* Quality may look like a record of FASTA, or like one of FASTQ, but
           hardly like several. */
        if (data[at] == first &&
            are_sequences(search->framing, data + at, size - at))
            return at;
        is_line = false;
    }
}

static off_t
find_sequence(const struct record_search *search, off_t start, off_t offset)
{
    off_t end = search->source->size;
    size_t size = step(start, end);
    size_t blanks = 0;

    if (look(search, start, size) < 0)
        return -1;
    while (blanks < size - 1 && !sequence_is_begin(search->data[blanks]))
        blanks++;
    unsigned char first = search->data[blanks];

    /* With the byte before, which says whether a line begins. */
    for (off_t at = offset - 1;; at += (off_t)(size - GUESS_BYTES)) {
        size = step(at, end);
        if (look(search, at, size) < 0)
            return -1;
        bool is_last = at + (off_t)size == end;
        size_t found =
            guess(search, size, is_last ? size : size - GUESS_BYTES, first);
        if (found > 0)
            return at + (off_t)found;
        if (is_last)
            return end;
    }
}

off_t
record_begin_find(struct source *source, const struct framing *framing,
                  off_t start, off_t offset)
{
    struct record_search search = {.source = source, .framing = framing};
    off_t found;

    if (offset >= source->size)
        return source->size;
    if (offset == start)
        return start;
    if (!framing_has_ends(framing)) {
        off_t past =
            (off_t)framing_align(framing, (uint64_t)(offset - start - 1));
        off_t next = start + past + (off_t)framing->step;
        return next < source->size ? next : source->size;
    }
    search.data = malloc(LOOK_BYTES);
    if (search.data == NULL)
        return source_fail_memory(source);
    if (framing_is_local(framing))
        found = find_local(&search, offset);
    else if (framing_cuts_anywhere(framing))
        found = find_sequence(&search, start, offset);
    else
        found = find_csv(&search, start, offset);
    free(search.data);
    return found;
}
