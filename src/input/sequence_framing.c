/* sequence_framing.c -- framing of the records of FASTA and FASTQ */

#include "input/sequence_framing.h"
#include "text/sequence_cut.h"

static struct text_ends
find_ends(const struct framing *framing, struct framing_state *state,
          const unsigned char *data, size_t size, bool is_followed)
{
    struct sequence_cut *cut = &state->sequence;

    (void)framing;
    struct text_ends ends = sequence_cut_find(cut, data, size, is_followed);
    state->is_open = cut->place != SEQUENCE_AT_BEGIN;
    state->is_broken = cut->place == SEQUENCE_IN_ERROR;
    return ends;
}

static size_t
first(const struct framing *framing, const unsigned char *data, size_t size)
{
    (void)framing;
    return sequence_cut_first(data, size);
}

static size_t
guess_first(const struct framing *framing, const unsigned char *data,
            size_t size, bool is_line)
{
    (void)framing;
    return sequence_guess_first(data, size, is_line);
}

static size_t
guess_last(const struct framing *framing, const unsigned char *data,
           size_t size)
{
    (void)framing;
    return sequence_guess_last(data, size);
}

struct framing
sequence_framing_make(void)
{
    static const struct framing_type type = {.first = first,
                                             .find_ends = find_ends,
                                             .guess_first = guess_first,
                                             .guess_last = guess_last};

    return (struct framing){.type = &type, .step = SIZE_MAX};
}
