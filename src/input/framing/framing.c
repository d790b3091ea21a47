/* SPDX-License-Identifier: MIT */
/* framing.c -- where records start and end in the content of an input */

#include <stdio.h>
#include <string.h>

#include "hist/key_table.h"
#include "input/framing/framing.h"
#include "kernels/seq/alignment_words.h"
#include "kernels/seq/sequence.h"
#include "text/text_counted.h"

size_t
framing_whole(const struct framing *framing, const unsigned char *data,
              size_t size, size_t *broken, struct framing_state *state,
              const struct sequence_sketches *sketches)
{
    *state = (struct framing_state){0};
    *broken = size;
    if (!framing_needs_order(framing))
        return framing->type->whole(framing, data, size);
    size_t whole =
        framing->type->find_ends(framing, state, data, size, false, sketches)
            .last;
    if (!state->is_broken)
        return whole;
    *broken = whole;
    return size;
}

uint64_t
framing_records(const struct framing *framing, const unsigned char *data,
                size_t size)
{
    struct framing_state state = {0};

    if (framing_needs_order(framing))
        (void)framing_find_ends(framing, &state, data, size, true);
    return state.records;
}

size_t
framing_first(const struct framing *framing, const unsigned char *data,
              size_t size)
{
    return framing->type->first(framing, data, size);
}

struct text_ends
framing_find_ends(const struct framing *framing, struct framing_state *state,
                  const unsigned char *data, size_t size, bool is_followed)
{
    return framing->type->find_ends(framing, state, data, size, is_followed,
                                    NULL);
}

size_t
framing_guess_first(const struct framing *framing, const unsigned char *data,
                    size_t size, bool is_line)
{
    return framing->type->guess_first == NULL
               ? 0
               : framing->type->guess_first(framing, data, size, is_line);
}

size_t
framing_guess_last(const struct framing *framing, const unsigned char *data,
                   size_t size)
{
    return framing->type->guess_last(framing, data, size);
}

size_t
framing_put_preface(const struct framing *framing,
                    const struct framing_state *before, unsigned char *out)
{
    size_t size = framing_preface_bytes(framing);

    if (before->is_piece)
        sequence_piece_put_preface(&before->piece, out);
    else
        memset(out, '\n', size);
    return size;
}

struct framing_state
framing_unknown_piece(void)
{
    return (struct framing_state){
        .is_piece = true,
        .sequence = {.place = SEQUENCE_IN_LINE},
        .piece = sequence_piece_unknown(),
    };
}

size_t
framing_last_end(const struct framing *framing, const unsigned char *data,
                 size_t size)
{
    if (!framing_needs_order(framing))
        return framing->type->whole(framing, data, size);
    const unsigned char *end = memrchr(data, framing->end_byte, size);
    return end == NULL ? 0 : (size_t)(end - data) + 1;
}

size_t
framing_first_from(const struct framing *framing, const unsigned char *data,
                   size_t size, size_t least)
{
    if (size < least)
        return 0;
    struct framing_state state;
    size_t broken;
    size_t at =
        framing_is_local(framing)
            ? least - 1
            : framing_whole(framing, data, least - 1, &broken, &state, NULL);
    size_t end = 0;
    for (;;) {
        size_t more = framing_first(framing, data + at + end, size - at - end);
        end += more;
        if (more == 0)
            return 0;
        if (at + end >= least)
            return at + end;
    }
}

/* Whether the SIZE bytes at DATA are a reference in the header of BAM or SAM,
   and no read. */
static bool
is_reference(const unsigned char *data, size_t size)
{
    return size > 2 && data[0] == '>' && data[1] == '\t' &&
           data[2] == ALIGNMENT_REFERENCE_MARK;
}

/* Whether the SIZE bytes at DATA, up to the first end, are a record. */
static bool
is_counted(const struct framing *framing, const unsigned char *data,
           size_t size)
{
    return framing_cuts_anywhere(framing)
               ? sequence_is_start(data[0]) && !is_reference(data, size)
               : text_is_counted(&framing->text, data, size);
}

size_t
framing_take(const struct framing *framing, const unsigned char *data,
             size_t size, uint64_t *count)
{
    size_t at = 0;

    while (at<size && * count> 0) {
        size_t bytes = framing_first(framing, data + at, size - at);
        /* The last record of FASTA is known to end there by what follows. */
        if (bytes == 0)
            bytes = size - at;
        *count -= is_counted(framing, data + at, bytes);
        at += bytes;
    }
    return at;
}

int
framing_end(const struct framing *framing, const char *name, size_t tail,
            struct error *error)
{
    return framing->type->end(framing, name, tail, error);
}

static bool
is_open(const struct framing *framing, const unsigned char *data, size_t size,
        size_t *at)
{
    return framing->type->is_open != NULL &&
           framing->type->is_open(framing, data, size, at);
}

void
framing_fail_long(const struct framing *framing, const char *name, uint64_t at,
                  uint64_t records, const unsigned char *data, size_t capacity,
                  struct error *error)
{
    bool is_sequence = framing_cuts_anywhere(framing);
    const char *hint =
        capacity >= KEY_BYTES_MAX ? ""
        : is_sequence && !framing->has_long
            ? " (--memory-limit allows longer ones; of FASTA, names, lengths "
              "and GC alone need no memory)"
            : " (--memory-limit allows longer ones)";
    char record[40] = "the record";
    size_t quote;

    if (is_sequence)
        snprintf(record, sizeof record, "record %llu",
                 (unsigned long long)records + 1);
    if (data != NULL && is_open(framing, data, capacity, &quote))
        error_set(error, EXIT_DATA,
                  "%s: the quote at byte %llu has no end within a record of "
                  "%zu bytes%s",
                  name, (unsigned long long)(at + quote), capacity, hint);
    else
        error_set(error, EXIT_DATA,
                  "%s: %s at byte %llu is longer than %zu bytes%s", name,
                  record, (unsigned long long)at, capacity, hint);
}

void
framing_fail_broken(const char *name, uint64_t at, struct error *error)
{
    error_set(error, EXIT_DATA, "%s: the record at byte %llu has an error",
              name, (unsigned long long)at);
}

int
framing_check_last(const struct framing *framing, const char *name, uint64_t at,
                   const unsigned char *data, size_t size, struct error *error)
{
    size_t quote;

    if (!is_open(framing, data, size, &quote))
        return 0;
    error_set(error, EXIT_DATA, "%s: the quote at byte %llu has no end", name,
              (unsigned long long)(at + quote));
    return -1;
}

bool
framing_drops(const struct framing *framing, const unsigned char *data,
              size_t size)
{
    struct sequence_record record;
    enum sequence_found found;

    if (!framing->drops_tail || !framing_cuts_anywhere(framing) ||
        data[0] != '@')
        return false;
    found = sequence_find(data, (binning_u32)size, 0, true, &record);
    return found == SEQUENCE_NO_PLUS || found == SEQUENCE_OTHER_SIZE;
}

uint64_t
framing_align(const struct framing *framing, uint64_t offset)
{
    return offset - offset % framing->step;
}

bool
framing_may_part_at(const struct framing *framing, bool is_known,
                    uint64_t offset)
{
    return framing->step == 1 || framing_is_local(framing) ||
           (is_known && framing_align(framing, offset) == offset);
}

/* ---- records of a fixed size ---- */

static size_t
whole_fixed(const struct framing *framing, const unsigned char *data,
            size_t size)
{
    (void)data;
    return (size_t)framing_align(framing, size);
}

static int
end_fixed(const struct framing *framing, const char *name, size_t tail,
          struct error *error)
{
    if (framing->drops_tail)
        return 0;
    error_set(error, EXIT_DATA,
              "%s: ends with %zu byte%s of a record of %zu "
              "(--partial=drop leaves them out)",
              name, tail, tail == 1 ? "" : "s", framing->step);
    return -1;
}

struct framing
framing_make_fixed(size_t record_bytes, bool drops_tail)
{
    static const struct framing_type type = {.whole = whole_fixed,
                                             .end = end_fixed};

    return (struct framing){
        .type = &type, .step = record_bytes, .drops_tail = drops_tail};
}
